"""How far annotators agree: best alignments and gamma (Mathet et al. 2015)."""

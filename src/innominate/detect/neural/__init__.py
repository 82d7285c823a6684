"""Neural detectors: trained with torch, served with ONNX Runtime alone.

`settings`, `pieces`, `vocabulary`, `tagset`, `windows` and `detector` never import torch; `nets` and `training` do.
"""

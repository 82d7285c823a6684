"""Annotation guidelines: one markdown source, in which examples are marked up like everywhere else.

A category is a heading, a label a heading below it, and an example an item that begins with ✓ (right) or ✗ (wrong):

    ### TEMPS
    - ✓ arrivée à [14h30](TEMPS)
    - ✗ pendant [48h](TEMPS)
"""

from innominate.campaign.planning.guidelines.examples import (
    GuidelineExample,
    check_guidelines,
    label_of_heading,
    read_examples,
)
from innominate.campaign.planning.guidelines.start import begin_guidelines

__all__ = ["GuidelineExample", "begin_guidelines", "check_guidelines", "label_of_heading", "read_examples"]

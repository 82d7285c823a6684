"""Annotation guidelines: one markdown source, in which examples are marked up like everywhere else.

A category is a heading, a label a heading below it, and an example an item that begins with ✓ (right) or ✗ (wrong):

    ### TEMPS
    - ✓ arrivée à [14h30](TEMPS)
    - ✗ pendant [48h](TEMPS)
"""

from innominate.campaign.planning.guidelines.examples import Example, examples_of, label_of_heading, problems_of
from innominate.campaign.planning.guidelines.start import start

__all__ = ["Example", "examples_of", "label_of_heading", "problems_of", "start"]

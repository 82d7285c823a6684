"""Identifiers that the hospital knows already: a list of patients, each matched in the patient's own notes."""

"""`innominate detect`: find identifiers and list them."""

from __future__ import annotations

from innominate.cli import options as o
from innominate.cli.job import Job

NEEDS_ARGUMENTS = True


def command(
    sources: o.Sources,
    output: o.Output,
    lang: o.Lang = None,
    detector: o.Detector = None,
    rules: o.RuleFiles = None,
    taxonomy: o.TaxonomyName = None,
    patients: o.Patients = None,
    patient_key: o.PatientKey = None,
    patients_required: o.PatientsRequired = None,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
    to: o.To = None,
    to_option: o.ToOptions = None,
    workers: o.Workers = None,
    time_limit: o.TimeLimit = None,
    config: o.ConfigFile = None,
    resume: o.Resume = False,
) -> None:
    """Find identifiers and write where they are, one line a document, without the text.

    With --to FORMAT the documents themselves are written, with the spans found: --to brat, --to jsonl ...

    [dim]innominate detect notes/ -o spans.jsonl --lang fr[/]
    """
    job = Job("detect", sources, output, format=format, option=option, to=to or "spans", to_option=to_option, config=config)
    known = {"patients": patients, "patient_key": patient_key, "patients_required": patients_required}
    job.configure(lang=lang, detector=detector, rules=o.paths(rules), taxonomy=taxonomy, time_limit=time_limit, **known).run(
        workers=workers, resume=resume
    )

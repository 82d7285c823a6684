"""`innominate deidentify`: detect and conceal."""

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
    policy: o.Policy = None,
    patients: o.Patients = None,
    patient_key: o.PatientKey = None,
    patients_required: o.PatientsRequired = None,
    format: o.FormatName = None,
    option: o.FormatOptions = None,
    to: o.To = None,
    to_option: o.ToOptions = None,
    keep_meta: o.KeepMeta = None,
    workers: o.Workers = None,
    time_limit: o.TimeLimit = None,
    config: o.ConfigFile = None,
    resume: o.Resume = False,
) -> None:
    """Find identifiers and conceal them. A note that fails in any step is withheld and listed, never passed through.

    [dim]innominate deidentify notes/ -o clean/ --policy class[/]
    """
    kept = tuple(keep_meta.split(",")) if keep_meta else None
    job = Job("deidentify", sources, output, format=format, option=option, to=to, to_option=to_option, config=config)
    known = {"patients": patients, "patient_key": patient_key, "patients_required": patients_required}
    job.configure(
        lang=lang,
        detector=detector,
        rules=o.paths(rules),
        taxonomy=taxonomy,
        policy=policy,
        keep_meta=kept,
        time_limit=time_limit,
        **known,
    ).run(workers=workers, resume=resume)

"""Feedback by mail, to each annotator alone.

Reports hold words of notes. They go over a connection that nobody else can read, or to this machine, or without the words;
an address that fails stops nobody else's report. Reasons are given as the server's number: its text may quote anything.
"""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path

from innominate.campaign.records import read_toml_file
from innominate.core import UsageError

SECURITY = ("starttls", "tls", "none")
_HERE = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True)
class MailSettings:
    """The server, and how to log in. The password is in a file or in an environment variable, never in the configuration."""

    host: str
    sender: str
    port: int = 587
    security: str = "starttls"
    user: str = ""
    password_file: str = ""
    password_variable: str = "INNOMINATE_MAIL_PASSWORD"
    ca_file: str = ""  # of a certificate authority of one's own
    words: bool = True  # whether reports may hold words of the notes
    subject: str = "Annotation feedback"
    seconds: float = 30.0  # to wait for the server

    def __post_init__(self) -> None:
        if self.security not in SECURITY:
            raise UsageError(f"[mail] security is one of {', '.join(SECURITY)}, not {self.security!r}")
        if self.security == "none" and self.words and self.host not in _HERE:
            raise UsageError("[mail] reports hold words of notes: use starttls or tls, or set words = false")

    def password(self) -> str:
        """Read the password where the settings say it is."""
        if self.password_file:
            try:
                return Path(self.password_file).read_text(encoding="utf-8").strip()
            except OSError as error:
                raise UsageError(f"[mail] cannot read the password file: {error.strerror}") from None
        if self.password_variable in os.environ:
            return os.environ[self.password_variable]
        raise UsageError(f"[mail] the user needs a password: set password_file, or the variable {self.password_variable}")


def read_mail_settings(path: Path) -> MailSettings:
    """Read the table [mail] of a TOML file."""
    table = read_toml_file(path, "the mail settings").get("mail", {})
    known = {entry.name for entry in fields(MailSettings)}
    if table.keys() - known or not {"host", "sender"} <= table.keys():
        raise UsageError(f"{path}: [mail] needs host and sender, and may have {', '.join(sorted(known - {'host', 'sender'}))}")
    return MailSettings(**table)


@dataclass(frozen=True, slots=True)
class Letter:
    """What goes to one person."""

    annotator: str
    address: str
    text: str = field(repr=False)
    html: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of a report. `reason` is empty if the server took it."""

    annotator: str
    address: str
    reason: str = ""


def compose_mail(report: Letter, settings: MailSettings) -> EmailMessage:
    """The mail: text for everybody, and the page for those who see it."""
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = settings.subject, settings.sender, report.address
    mail["Date"] = formatdate(localtime=True)
    mail["Message-ID"] = make_msgid(domain=settings.sender.rpartition("@")[2] or "localhost")
    mail["Auto-Submitted"] = "auto-generated"  # nobody's absence note should answer
    mail.set_content(report.text)
    mail.add_alternative(report.html, subtype="html")
    return mail


def send_letters(reports: Iterable[Letter], settings: MailSettings) -> list[Delivery]:
    """Send every report that has an address. After a failure the connection is made again for the next one."""
    deliveries: list[Delivery] = []
    server: smtplib.SMTP | None = None
    password = settings.password() if settings.user else ""
    for report in reports:
        if not report.address:
            deliveries.append(Delivery(report.annotator, "", "no address is registered"))
            continue
        try:
            server = server or _connect(settings, password)
            server.send_message(compose_mail(report, settings))
            deliveries.append(Delivery(report.annotator, report.address))
        except (smtplib.SMTPException, OSError, ValueError) as error:
            deliveries.append(Delivery(report.annotator, report.address, _reason(error)))
            _close(server)
            server = None
    _close(server)
    return deliveries


def _connect(settings: MailSettings, password: str) -> smtplib.SMTP:
    context = ssl.create_default_context(cafile=settings.ca_file or None)
    server: smtplib.SMTP
    if settings.security == "tls":
        server = smtplib.SMTP_SSL(settings.host, settings.port, timeout=settings.seconds, context=context)
    else:
        server = smtplib.SMTP(settings.host, settings.port, timeout=settings.seconds)
    try:
        if settings.security == "starttls":
            server.starttls(context=context)
        if settings.user:
            server.login(settings.user, password)
    except BaseException:
        server.close()
        raise
    return server


def _close(server: smtplib.SMTP | None) -> None:
    if server is not None:
        with suppress(smtplib.SMTPException, OSError):
            server.quit()  # politely, and it closes the connection even if the server is gone
        server.close()


def _reason(error: Exception) -> str:
    """Why, by number and kind: what a server says may quote the mail."""
    match error:
        case smtplib.SMTPRecipientsRefused():
            codes = sorted({code for code, _ in error.recipients.values()})
            return f"the server refused the address ({', '.join(map(str, codes))})"
        case smtplib.SMTPResponseException():
            return f"the server answered {error.smtp_code}"
        case ssl.SSLError():
            return "the server's certificate or TLS is not trusted"
        case smtplib.SMTPException():
            return f"the mail could not be sent ({type(error).__name__})"
        case OSError():
            return f"no connection to the server ({error.strerror or type(error).__name__})"
    return f"the address or the mail is not valid ({type(error).__name__})"

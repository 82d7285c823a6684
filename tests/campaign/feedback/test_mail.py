"""Mail, against a real SMTP server on this machine: TLS, login, refused addresses, a server that goes away."""

import datetime
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from smtp_server import Inbox, LocalController

from innominate.campaign.feedback.mail import Letter, MailSettings, read_mail_settings, send_letters
from innominate.core import UsageError

REPORTS = [
    Letter(name, f"{name}@example.org", f"Rang: 1/3, «à 12h» pour {name}\n", f"<p>{name}</p>")
    for name in ("eva", "ola", "siv")
]


@pytest.fixture
def serve():
    started = []

    def start(inbox, **how):
        controller = LocalController(inbox, **how)
        controller.start()
        started.append(controller)
        return controller.port

    yield start
    for controller in started:
        controller.stop()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A key, and a certificate for localhost that only those trust who are told to."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "key.pem").write_bytes(pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return str(folder / "cert.pem"), context


def local(port, **more):
    return MailSettings("127.0.0.1", "contest@example.org", port, "none", **more)


def test_everybody_gets_their_own_report_and_nobody_elses(serve):
    inbox = Inbox()
    deliveries = send_letters(REPORTS, local(serve(inbox)))
    assert [one.reason for one in deliveries] == ["", "", ""]
    assert [mail["To"] for mail in inbox.mails] == [report.address for report in REPORTS]
    for mail, report in zip(inbox.mails, REPORTS, strict=True):
        assert mail.get_body(["plain"]).get_content().replace("\r\n", "\n") == report.text
        assert mail.get_body(["html"]).get_content().strip() == report.html
        assert mail["Auto-Submitted"] == "auto-generated"


@pytest.mark.parametrize(("how", "reason"), [({"refuse": "ola"}, "refused the address (550)"), ({"drop": "ola"}, "")])
def test_one_failed_address_stops_nobody_else(serve, how, reason):
    inbox = Inbox(**how)
    deliveries = send_letters(REPORTS, local(serve(inbox)))
    assert [bool(one.reason) for one in deliveries] == [False, True, False]
    assert reason in deliveries[1].reason
    assert "quote" not in deliveries[1].reason
    assert [mail["To"] for mail in inbox.mails] == ["eva@example.org", "siv@example.org"]


@pytest.mark.parametrize("address", ["", "eva@example.org\nBcc: all@example.org", "no address at all"])
def test_a_bad_address_is_a_failure_and_not_an_injection(serve, address):
    inbox = Inbox()
    odd = Letter("odd", address, "text", "<p>text</p>")
    deliveries = send_letters([odd, REPORTS[0]], local(serve(inbox, auth_required=False)))
    assert deliveries[1].reason == ""
    assert [mail["To"] for mail in inbox.mails][-1] == "eva@example.org"
    assert all("all@example.org" not in str(mail) for mail in inbox.mails)


def test_starttls_and_login(serve, certificate, tmp_path):
    authority, context = certificate
    secret = tmp_path / "password"
    secret.write_text("correct horse\n")
    inbox = Inbox()
    port = serve(inbox, tls_context=context, require_starttls=True, authenticator=inbox.authenticate, auth_required=True)
    how = MailSettings("localhost", "contest@example.org", port, "starttls", "contest", str(secret), ca_file=authority)
    assert [one.reason for one in send_letters(REPORTS[:1], how)] == [""]
    assert inbox.users == [("contest", "correct horse")]
    assert len(inbox.mails) == 1


def test_a_wrong_password_and_an_unknown_certificate_are_failures(serve, certificate, monkeypatch):
    authority, context = certificate
    inbox = Inbox()
    port = serve(inbox, tls_context=context, require_starttls=True, authenticator=inbox.authenticate, auth_required=True)
    monkeypatch.setenv("INNOMINATE_MAIL_PASSWORD", "wrong horse")
    how = MailSettings("localhost", "contest@example.org", port, "starttls", "contest", ca_file=authority)
    assert [one.reason for one in send_letters(REPORTS[:2], how)] == ["the server answered 535"] * 2
    stranger = MailSettings("localhost", "contest@example.org", port, "starttls")
    assert [one.reason for one in send_letters(REPORTS[:1], stranger)] == ["the server's certificate or TLS is not trusted"]
    assert inbox.mails == []


def test_no_server_is_a_failure_for_everybody_and_no_crash(serve):
    port = serve(Inbox())
    closed = MailSettings("127.0.0.1", "contest@example.org", 1, "none")
    assert port != 1
    assert all("no connection" in one.reason for one in send_letters(REPORTS, closed))


def test_words_of_notes_never_go_over_an_open_line():
    with pytest.raises(UsageError, match="use starttls or tls"):
        MailSettings("mail.example.org", "contest@example.org", security="none")
    assert MailSettings("mail.example.org", "contest@example.org", security="none", words=False).words is False


def test_settings_are_read_and_checked(tmp_path):
    file = tmp_path / "mail.toml"
    file.write_text('[mail]\nhost = "mail.example.org"\nsender = "contest@example.org"\nport = 465\nsecurity = "tls"\n')
    assert read_mail_settings(file).port == 465
    file.write_text('[mail]\nhost = "mail.example.org"\nsender = "contest@example.org"\npassword = "secret"\n')
    with pytest.raises(UsageError, match="password_file"):
        read_mail_settings(file)
    with pytest.raises(UsageError, match="cannot read"):
        read_mail_settings(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="needs a password"):
        MailSettings("h", "s", user="u", password_variable="NO_SUCH_VARIABLE").password()

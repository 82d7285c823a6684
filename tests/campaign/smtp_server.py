"""A real SMTP server on a free port of this machine."""

import asyncio
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult


class Inbox:
    """Keeps what it is sent; refuses one address, and may drop the connection at another."""

    def __init__(self, refuse="", drop=""):
        self.refuse, self.drop, self.mails, self.users = refuse, drop, [], []

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        if self.drop and address.startswith(self.drop):
            server.transport.close()
        if self.refuse and address.startswith(self.refuse):
            return "550 no such person: and here the server might quote the mail"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 kept"

    def authenticate(self, server, session, envelope, mechanism, data):
        self.users.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=data.password == b"correct horse", handled=False)  # the server says so itself


class LocalController(Controller):
    """A server on a free port of this machine; `factory` is how the tests set TLS and login."""

    def __init__(self, handler, **how):
        super().__init__(handler, hostname="127.0.0.1", port=0)
        self._how, self.served = how, []

    def stop(self, no_assert=False):
        """Close what clients left open, on the server's own thread, so that no connection outlives a test."""
        closing = asyncio.run_coroutine_threadsafe(self._close_connections(), self.loop)
        closing.result(timeout=10)
        super().stop(no_assert)

    async def _close_connections(self):
        for served in self.served:
            if served.transport:
                served.transport.abort()
        await asyncio.sleep(0.05)

    def factory(self):
        self.served.append(SMTP(self.handler, enable_SMTPUTF8=True, **self._how))
        return self.served[-1]

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()

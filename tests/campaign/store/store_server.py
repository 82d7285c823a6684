"""A process that serves a store by a socket, one JSON line per request and reply: what the kill test kills."""

import json
import socketserver
import sys
import time

from innominate.campaign.records import Answer
from innominate.campaign.store import StoreError, open_store
from innominate.formats.json_values import spans_from


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            try:
                reply = self.reply(**json.loads(line))
            except StoreError:
                reply = {"again": True}
            self.wfile.write(json.dumps(reply).encode() + b"\n")

    def reply(self, op, **request):
        store = self.server.store
        if op == "lease":
            task = store.lease(request["annotator"], time.time())
            return {"sample": task.sample.id, "length": len(task.sample.text)} if task else {"sample": None}
        spans = tuple(spans_from(request.pop("spans")))
        receipt = store.answer(Answer(**request, spans=spans), time.time())
        return {"outcome": receipt.outcome}


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


if __name__ == "__main__":
    url, socket = sys.argv[1:]
    with Server(socket, Handler) as server:
        server.store = open_store(url, time.time())
        server.serve_forever()

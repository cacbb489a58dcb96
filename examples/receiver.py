# Receives webhooks of the service, verifies their signatures, and prints each event once.
# pip install standardwebhooks cloudevents, then: WEBHOOK_SECRET=whsec_… PORT=8080 python receiver.py
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cloudevents.core.bindings.http import HTTPMessage, from_http_event
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
# The ids of events that have arrived. A real receiver stores them together with the effect of the event.
known = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            # Raises if the signature is wrong, or if the message is older than five minutes.
            webhook.verify(content, headers)
        except WebhookVerificationError as error:
            return self.send_error(400, str(error))
        event = from_http_event(HTTPMessage(headers, content))
        if event.get_id() not in known:
            print(event.get_type(), event.get_subject(), event.get_data(), flush=True)
        known.add(event.get_id())
        # Respond within 10 s, and work later. Another status makes the service send the event again.
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8080))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()

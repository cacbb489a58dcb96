"""Runs the steps of a service of the package with the client that openapi-generator makes for Python: `walk.py URL`."""

import sys
from datetime import date, datetime, timezone

import openapi_client as made
from openapi_client.exceptions import ApiException

IMAGE = b"\x89PNG" + bytes(range(256))
api = made.ApiClient(made.Configuration(host=sys.argv[1]))
samples, invoices, notes = made.SamplesApi(api), made.InvoicesApi(api), made.NotesApi(api)


def create_sample(**values):
    return samples.post_samples(made.SamplesInput(made.SampleInput(**values))).actual_instance


def every_kind():
    at = datetime(2026, 11, 22, 10, tzinfo=timezone.utc)
    address = made.SampleInputAddress(city="Oslo", since=date(2026, 1, 1), rent=1.5, own=False)
    sample = create_sample(
        name="Ada", code="AB1", size="large", email="ada@example.org", site="https://example.org/", count=2,
        amount=120.5, due=date(2026, 11, 22), at=at, paid=True, tags=["a", "b"], address=address, serial="7",
    )
    assert sample.total == 241 and sample.size == "large" and sample.paid is True
    assert (sample.due, sample.at, sample.tags) == (date(2026, 11, 22), at, ["a", "b"])
    assert (sample.address.city, sample.address.rent, sample.address.own) == ("Oslo", 1.5, False)


def action():
    invoice = invoices.post_invoices(made.InvoicesInput(made.InvoiceInput(amount=10))).actual_instance
    body = made.RemindInvoice(text="Please pay", due=date(2026, 12, 1), fee=2.5, copies=2)
    reminded = invoices.post_invoices_by_id_remind(invoice.id, body)
    assert (reminded.reminders, reminded.note) == (1, "Please pay")


def photo():
    note = notes.post_notes(made.NotesInput(made.NoteInput(title="Shopping", rank=1))).actual_instance
    assert notes.put_notes_by_id_photo_with_http_info(note.id, IMAGE).status_code == 201
    assert bytes(notes.get_notes_by_id_photo(note.id)) == IMAGE


def listing():
    create_sample(name="Bo", amount=1, count=9)
    found = samples.get_samples(sort=["-total"], size=["small"], count=[9])
    assert [(one.name, one.total) for one in found.items][:1] == [("Bo", 9)]


def faults():
    # The model would refuse these values itself.
    address = made.SampleInputAddress.model_construct(city="Oslo", rent=-1)
    body = made.SamplesInput.model_construct(actual_instance=made.SampleInput.model_construct(name="A", address=address))
    try:
        samples.post_samples(body)
    except ApiException as refused:
        assert [fault.pointer for fault in refused.data.errors] == ["/name", "/address/rent"]
    else:
        raise AssertionError("the sample is not refused")


for number, step in enumerate((every_kind, action, photo, listing, faults), 1):
    try:
        step()
        print(number, "ok", flush=True)
    except Exception as error:
        print(number, type(error).__name__, " ".join(str(error).split()), flush=True)

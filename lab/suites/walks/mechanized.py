"""Fills in the forms of pages as a browser without scripts: `mechanized.py URL`."""

import io
import sys

import mechanize

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
browser = mechanize.Browser()
browser.set_handle_robots(False)


def submitted(path, **values):
    browser.open(sys.argv[1] + path)
    browser.select_form(predicate=lambda form: form.attrs.get("method", "").lower() == "post")
    photo = values.pop("photo", None)
    for name, value in values.items():
        browser[name] = value
    if photo:
        browser.form.add_file(io.BytesIO(photo), "image/png", "photo.png", name="photo")
    return browser.submit()


page = submitted("/members/new", name="Ada Byron", age="36", photo=PNG)
# It sends no Accept, so it gets 201 with JSON and the address of the member, as other programs do.
assert page.code == 201, page.code
member = page.info()["Location"]
assert browser.open(sys.argv[1] + member + "?fields=photo").read() == PNG

browser.addheaders = [("Accept", "text/html")]
page = submitted(member + "/edit", name="Ada Lovelace")
assert "Ada Lovelace" in browser.title() and "36" in page.get_data().decode(), browser.title()

# The form says what is wrong, and keeps what was written.
try:
    submitted(member + "/edit", age="many")
except mechanize.HTTPError as refused:
    assert refused.code == 400 and 'value="many"' in refused.read().decode(), refused.code
else:
    raise AssertionError("the form is not refused")

submitted(member + "/delete")
try:
    browser.open(sys.argv[1] + member)
except mechanize.HTTPError as gone:
    assert gone.code == 404, gone.code
else:
    raise AssertionError("the member is still there")
print("ok")

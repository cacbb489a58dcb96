import { eventOf, type Sent, USUAL } from '../../events.ts';

const usual = (sent: Sent) => eventOf(sent, USUAL);
const item = { template: '/members/{id}', parameters: { id: '7' } };
const posted = (type: string, body: string) =>
  usual({ method: 'POST', template: '/members', headers: { 'Content-Type': type }, body });

/** The events for every variant of a function. */
export const EVENTS = {
  'GET item': usual(item),
  'GET list of 25': usual({ template: '/members', query: { limit: ['25'] } }),
  'PATCH with If-Match': usual({
    ...item,
    method: 'PATCH',
    headers: { 'Content-Type': 'application/merge-patch+json', 'If-Match': '"1.2-json"' },
    body: '{"name":"Ada Lovelace"}',
  }),
};

/** Events for the first request of a function in each format. */
export const FORMATS = {
  'GET item as JSON': usual(item),
  'GET item as XML': usual({ ...item, headers: { Accept: 'application/xml' } }),
  'GET item as HTML': usual({ ...item, headers: { Accept: 'text/html' } }),
  'POST of JSON': posted('application/json', '{"name":"Ada"}'),
  'POST of XML': posted('application/xml', '<member><name>Ada</name></member>'),
  'POST of a form, urlencoded': posted('application/x-www-form-urlencoded', 'name=Ada'),
  'POST of a form, multipart': posted(
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--b--\r\n',
  ),
};

import { eventOf, type SentRequest, USUAL } from '../../events.ts';

const usual = (sent: SentRequest) => eventOf(sent, USUAL);
const read = (Accept: string) =>
  usual({ template: '/members/{id}', parameters: { id: '7' }, headers: { Accept } });
const posted = (type: string, body: string) =>
  usual({ method: 'POST', template: '/members', headers: { 'Content-Type': type }, body });

/** Events for the first request of a function in each format. */
export const FORMATS = {
  'GET item as JSON': read('application/json'),
  'GET item as XML': read('application/xml'),
  'GET item as HTML': read('text/html'),
  'POST of JSON': posted('application/json', '{"name":"Ada"}'),
  'POST of XML': posted('application/xml', '<member><name>Ada</name></member>'),
  'POST of a form, urlencoded': posted('application/x-www-form-urlencoded', 'name=Ada'),
  'POST of a form, multipart': posted(
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--b--\r\n',
  ),
};

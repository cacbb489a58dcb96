/** json-server on a file in DATA_DIR with ROWS members. */
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const jsonServer = require('json-server');

mkdirSync(process.env.DATA_DIR, { recursive: true });
const file = join(process.env.DATA_DIR, 'db.json');
const members = Array.from({ length: Number(process.env.ROWS) }, (_, at) => ({
  id: at + 1,
  name: 'Ada Byron',
  age: 36,
}));
writeFileSync(file, JSON.stringify({ members }));
const app = jsonServer.create();
app.use(jsonServer.bodyParser);
app.use(jsonServer.router(file));
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`Listening on http://127.0.0.1:${server.address().port}`),
);
process.on('SIGTERM', () => process.exit(0));

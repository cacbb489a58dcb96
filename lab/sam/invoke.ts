import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { runningEngines } from '../../local/running.ts';
import { Obstacle } from '../../tools/obstacle.ts';
import { main, ownArguments, ROOT } from './command.ts';
import { requireSam, startSam } from './sam.ts';
import { OUTPUT, synthesize } from './template.ts';

const USAGE = `npm run tool -- sam invoke [RESOURCE [EVENT]] [--id ID] [-- OPTIONS OF sam local invoke]
  RESOURCE  whose function: members
  EVENT     a file: test/events/members-list.json
  --id ID   the item that the event is about
Needs a Docker engine and SAM (docs/sam.md), and npm start or npm run tool -- sam start with this DATA_DIR.`;

/** `npm run tool -- sam invoke` runs one function in a container, on the data of a running `npm start`. */
await main(async () => {
  const { own, passedOn } = ownArguments();
  const { values, positionals } = parseArgs({
    options: { id: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
    args: own,
  });
  if (values.help) throw new Obstacle(USAGE);
  const [resource = 'members', event = 'test/events/members-list.json'] = positionals;
  const chosen = values.id === undefined ? event : withId(event, values.id);
  const engines = runningEngines(process.env);
  if (engines === undefined) throw new Obstacle('No npm start runs with this DATA_DIR.');
  await requireSam();
  const command = ['invoke', resource, '--event', chosen, ...passedOn];
  const { ended } = await startSam(command, await synthesize(), engines, 'inherit');
  return await ended;
});

/** Returns the event with another id in its path. */
function withId(file: string, id: string): string {
  const event = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as APIGatewayProxyEvent;
  const path = event.resource.replace('{id}', id);
  const written = join(OUTPUT, 'event.json');
  mkdirSync(join(ROOT, OUTPUT), { recursive: true });
  writeFileSync(join(ROOT, written), JSON.stringify({ ...event, path, pathParameters: { id } }));
  return written;
}

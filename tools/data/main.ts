import { parseArgs } from 'node:util';
import { commandLine } from '../../service/folders.ts';
import { instantOf } from '../../shared/resource/kinds/times.ts';
import { UserError } from '../user-error.ts';
import { erase } from './erase/erase.ts';
import { exportItems } from './export.ts';
import { importItems } from './import/import.ts';
import { attach, resourcesNamed, tablesNamed } from './place.ts';
import { republish } from './republish.ts';
import { compareBucket } from './restore/bucket.ts';
import { reconcileHistory } from './restore/reconcile-history.ts';
import { restore } from './restore/restore.ts';
import { reportRetained } from './restore/retained.ts';
import { state } from './state.ts';
import { subscriptions } from './subscriptions/subscriptions.ts';
import { undo } from './undo/undo.ts';
import { verify } from './verify/verify.ts';

const COMMANDS = [
  'export DIRECTORY [RESOURCE...] [--history]',
  'import DIRECTORY [RESOURCE...] [--replace] [--events]',
  'verify DIRECTORY [RESOURCE...]',
  'restore DIRECTORY [TABLE...] --at TIME',
  'retained --environment FILE',
  'bucket NAME [--set] --environment FILE',
  'erase DIRECTORY RESOURCE ID [--confirm]',
  'republish RESOURCE [ID...] [--bus NAME]',
  'restored [RESOURCE...]',
  'state [RESOURCE...]',
  'undo SUBJECT --since TIME [--until TIME] [--over]',
  'subscriptions list [--subject SUBJECT] [--suspended]',
  'subscriptions suspend|resume|remove ID...|--subject SUBJECT|--all [--reason TEXT]',
].map((one) => commandLine('data', one));

const USAGE = `${COMMANDS.join('\n')}
  --environment FILE  a deployment: the environment variables of its worker, as JSON; without it, the running npm start
  --history           also export the earlier versions of items
  --replace           also replace items that are newer than the export
  --events            publish an event for each imported item
  --at TIME           the time of the data to restore, such as 2026-11-21T09:00:00Z
  --since TIME        undo: the time of the first change of the subject; --until that of the last one
  --over              undo: also items that others have changed since
  --owner SUBJECT     undo: its author, who sees the operation; without it, operators
  --set               copy what differs to the bucket that a deployment shall adopt
  --confirm           erase; without it, the command only says what it would erase
  --bus NAME          the event bus of the deployment
  --subject SUBJECT   the subscriptions that this subject has created
  --suspended         only suspended subscriptions
  --all               all subscriptions
  --reason TEXT       why, for their owners
docs/recovery.md has examples.`;

const OPTIONS = {
  environment: { type: 'string' },
  history: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  events: { type: 'boolean', default: false },
  at: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  over: { type: 'boolean', default: false },
  owner: { type: 'string' },
  confirm: { type: 'boolean', default: false },
  set: { type: 'boolean', default: false },
  bus: { type: 'string' },
  subject: { type: 'string' },
  suspended: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  reason: { type: 'string' },
} as const;

/**
 * `npm run data -- COMMAND` shows, moves, compares, erases or publishes the data of a service. The exit status is 1 if work
 * remains: newer items, shared unique values, operations that have not ended, items that do not exist or differ, a
 * backfill, retained tables, a bucket that differs, or items that an undo leaves. It is 2 if the command could not do its work. A stopped command
 * continues if you repeat it.
 */
async function main(): Promise<number> {
  const { positionals, values } = parse();
  const [command, ...names] = positionals;
  if (command === 'republish' && values.environment !== undefined && process.env.AUDIT_KEY === undefined)
    throw new UserError(
      'republish needs AUDIT_KEY for the hashes of callers. It is empty for an open service',
    );
  const at = instantOf(values.at ?? '');
  if (command === 'restore' && at === undefined)
    throw new UserError('restore needs --at with a time such as 2026-11-21T09:00:00Z');
  await attach(values);
  if (command === 'retained') return (await reportRetained(console.log)) > 0 ? 1 : 0;
  if (command === 'state') {
    const outdated = await state(resourcesNamed(names), console.log);
    for (const name of outdated) console.log(`To complete it: ${commandLine('backfill', name)}`);
    return outdated.length > 0 ? 1 : 0;
  }
  if (command === 'undo') {
    const [subject = ''] = names;
    const { since, until, over, owner } = values;
    return (await undo({ subject, since, until, over, owner }, console.log)) > 0 ? 1 : 0;
  }
  if (command === 'subscriptions') {
    const [action, ...ids] = names;
    const { subject, suspended, all, reason } = values;
    await subscriptions(action, { ids, subject, suspended, all, reason }, console.log);
    return 0;
  }
  if (command === 'restored') {
    for (const resource of resourcesNamed(names)) await reconcileHistory(resource, console.log);
    return 0;
  }
  const [directory = '', ...resources] = names;
  if (command === 'bucket')
    return (await compareBucket({ name: directory, set: values.set }, console.log)) > 0 ? 1 : 0;
  if (command === 'republish') {
    const [resource] = resourcesNamed([directory]);
    return resource && (await republish(resource, resources, console.log)) > 0 ? 1 : 0;
  }
  if (command === 'erase') {
    const subject = names.slice(1);
    const running = await erase({ directory, subject, confirmed: values.confirm }, console.log);
    return running > 0 ? 1 : 0;
  }
  if (command === 'restore') {
    const time = Date.parse(at ?? '');
    await restore({ directory, tables: tablesNamed(resources), at: time, pause: 10_000 }, console.log);
    return 0;
  }
  if (command === 'verify') {
    const different = await verify(directory, resourcesNamed(resources), console.log);
    console.log(different > 0 ? `${different} items differ` : 'The service has what the export has');
    return different > 0 ? 1 : 0;
  }
  if (command === 'export') {
    const { history } = values;
    await exportItems({ directory, resources: resourcesNamed(resources), history }, console.log);
    return 0;
  }
  const { replace: replaces, events } = values;
  const wanted = { directory, resources: resourcesNamed(resources), replaces, events };
  const { newer, shared } = await importItems(wanted, console.log);
  if (newer > 0)
    console.log(`The service has ${newer} newer items. --replace replaces them by the exported ones.`);
  if (shared > 0)
    console.log(
      'The lines above name items that share a unique value with another item: change one of the two.',
    );
  return newer + shared > 0 ? 1 : 0;
}

function parse() {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: OPTIONS });
    const [command = '', directory] = positionals;
    if (
      ['state', 'retained', 'restored'].includes(command) ||
      ([
        'export',
        'import',
        'verify',
        'restore',
        'erase',
        'republish',
        'subscriptions',
        'bucket',
        'undo',
      ].includes(command) &&
        directory !== undefined)
    )
      return { positionals, values };
  } catch (error) {
    throw new UserError(`${(error as Error).message}\n${USAGE}`);
  }
  throw new UserError(USAGE);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

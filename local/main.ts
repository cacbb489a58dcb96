import { resolve } from 'node:path';
import { dataFault } from 'embedded-aws';
import { isInstalled } from '../service/folders.ts';
import { OptionError, readOptions } from './options.ts';
import { npmProcess, whenNpmDied } from './process/npm-process.ts';

/**
 * `npm start`: the whole service on this machine. It prints its addresses when it serves, or a sentence if it cannot
 * start.
 */
try {
  // Only the user who runs this can read data and keys.
  process.umask(0o077);
  const options = readOptions(process.argv.slice(2), process.env);
  const isNpmAlive = npmProcess(process.env);
  // The error of a definition arises while Node loads it.
  const { start } = await import('./service.ts');
  const service = await start(options);
  let stopping = false;
  if (isInstalled) {
    const { restartAfterChanges, warnOfTypes } = await import('./process/changed-definitions.ts');
    restartAfterChanges(service.stop, () => stopping);
    warnOfTypes();
  }
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void service.stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  if (isNpmAlive) whenNpmDied(isNpmAlive, stop);
  const open = `Open ${service.url}/ in a browser. ${service.url}/docs describes all requests.`;
  console.log([`Listening on ${service.url}`, open, ...service.advice].join('\n'));
} catch (error) {
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  const directory = resolve(process.env.DATA_DIR || '.data');
  const fault = dataFault(error, directory);
  if (code === 'EADDRINUSE') console.error(`Port ${port} of ${address} is taken: choose another with PORT.`);
  else if (code === 'EACCES' && port !== undefined)
    console.error(`Port ${port} needs more rights: choose another with PORT.`);
  else if (fault !== undefined) console.error(fault);
  else if (error instanceof Error && '$fault' in error) {
    const [cause] = error.message.split('\n', 1);
    console.error(
      `An engine on the data folder ${directory} failed (${cause}): check its disk, or choose another folder with DATA_DIR.`,
    );
  } else if (error instanceof OptionError) console.error(error.message);
  else console.error(error instanceof Error && error.name === 'Error' ? error.message : error);
  process.exitCode = 1;
  // After a mistake in a definition, the next change of it tries again. A first start ends.
  if (isInstalled && process.env.CHANGED_DEFINITION !== undefined)
    (await import('./process/changed-definitions.ts')).restartAfterChanges(async () => {});
}

import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningServer, running } from '../running.ts';
import { ENGINES, type Service } from './engines.ts';
import { installEngine } from './install.ts';
import type { Engine, Place } from './place.ts';

/**
 * Installs an engine unless it is installed, and starts it. `data`: an existing folder for the data of engines.
 * @throws UserError if a program is missing, or if the engine does not start
 */
export async function startEngine(
  service: Service,
  port: number,
  { data, webhook }: Pick<Place, 'data' | 'webhook'>,
): Promise<RunningServer & { readonly child: ChildProcess }> {
  const engine: Engine = ENGINES[service];
  const programs = await installEngine(engine);
  const folder = join(data, service);
  mkdirSync(folder);
  const program = engine.program({ port, programs, data: folder, webhook });
  const env = { ...process.env, ...program.environment };
  const url = `http://127.0.0.1:${port}`;
  const answering = await running({ ...program, name: engine.name, env, isApart: true, url });
  console.error(`${engine.name} ${engine.version} responds at ${url}`);
  return answering;
}

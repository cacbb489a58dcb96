import type { Part } from '../part.ts';
import { CLIENTS } from '../walks/clients.ts';
import { programs } from '../walks/programs.ts';
import { LARGE, stepsOf } from '../walks/steps.ts';

/** Checks the requests of clients in other languages, each with its defaults. */
export const part: Part = {
  about: 'clients in other languages, with their defaults',
  needs: ['curl', 'go', 'java', 'mcs', 'mono', 'mvn', 'python3', 'rclone', 'wget'],
  run: async (given) => {
    const { service, check } = given;
    await service.storeLarge('large.bin', LARGE, 'application/octet-stream');
    for (const [name, start] of Object.entries(CLIENTS)) {
      const client = start(service.folder);
      const steps = stepsOf(client, service.url, name.replace('/', '-'));
      for (const [step, run] of Object.entries(steps)) await check(`${name}: ${step}`, run);
      client.end();
    }
    await programs(given);
  },
};

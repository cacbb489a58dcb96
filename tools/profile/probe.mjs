import { Session } from 'node:inspector/promises';

/** Runs inside the measured server: it counts the CPU time and samples the stacks between two messages. */
const session = new Session();
session.connect();
let before = process.cpuUsage();
const MESSAGES = {
  count: () => {
    before = process.cpuUsage();
    return 'ready';
  },
  counted: () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  },
  sample: async () => {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
    return 'ready';
  },
  sampled: async () => (await session.post('Profiler.stop')).profile,
};
process.on('message', async (message) => process.send(await MESSAGES[message]()));

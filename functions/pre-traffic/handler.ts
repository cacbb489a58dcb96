import { PROBES } from '#service';
import { requestCheck, tokenCheck } from './check.ts';
import { preTraffic } from './hook.ts';

const requests = Object.entries(PROBES).map(([name, probe]) => [name, requestCheck(name, probe)]);

export const handler = preTraffic({ ...Object.fromEntries(requests), authorizer: tokenCheck });

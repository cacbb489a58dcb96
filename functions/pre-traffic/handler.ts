import { PROBES } from '#service';
import { requestCheck, tokenCheck } from '../../shared/pre-traffic/check.ts';
import { preTraffic } from '../../shared/pre-traffic/hook.ts';

const requests = Object.entries(PROBES).map(([name, probe]) => [name, requestCheck(name, probe)]);

export const handler = preTraffic({ ...Object.fromEntries(requests), authorizer: tokenCheck });

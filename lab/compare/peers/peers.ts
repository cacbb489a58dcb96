import { django } from './django.ts';
import { jsonServer } from './json-server.ts';
import { kinto } from './kinto.ts';
import type { Peer } from './peer.ts';
import { pocketbase } from './pocketbase.ts';
import { service } from './service.ts';
import { spring } from './spring.ts';
import { starter } from './starter.ts';

/** All peers by their names in commands. */
export const PEERS: Readonly<Record<string, Peer>> = {
  service,
  spring,
  kinto,
  pocketbase,
  django,
  starter,
  'json-server': jsonServer,
};

import type { Resource } from '../../resource/resource.ts';
import type { HistoryActions } from '../../resource/styles/history.ts';

/** The actions on the versions of items. The first call loads their code. */
export function historyOf(resource: Resource): HistoryActions {
  const load = async () => (await import('#history')).historyActions(resource);
  return {
    list: async (input) => (await load()).list(input),
    removed: async (input) => (await load()).removed(input),
    read: async (input) => (await load()).read(input),
    restore: async (input) => (await load()).restore(input),
    at: async (input, time) => (await load()).at(input, time),
  };
}

import { resource } from '../../shared/resource/resource.ts';
import { document, documentLater } from '../../shared/resource/styles.ts';
import { elsewhere, health, home, problemType } from './documents.ts';

/** The service itself: its home, its health, what its problems mean; and every path that names nothing. */
export const root = resource({
  name: 'root',
  title: 'Home',
  routes: [
    ...document('/', 'home'),
    ...document('/health', 'health'),
    ...document('/problems/{type}', 'problemType'),
    ...documentLater('/openapi.json'),
    ...documentLater('/docs'),
    ...documentLater('/.well-known/api-catalog'),
  ],
  elsewhere,
  actions: () => ({ home, health, problemType }),
});

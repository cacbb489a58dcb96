import { authorizing } from '../../shared/authorization/authorizer.ts';
import { SCOPED } from './scoped.generated.ts';

export const handler = authorizing(SCOPED);

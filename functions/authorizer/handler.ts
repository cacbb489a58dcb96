import { authorizing } from '../../shared/authorization/authorizer.ts';
import { observedBackground } from '../../shared/lambda/logs/observed.ts';
import { CLOSED } from './closed.generated.ts';

export const handler = observedBackground('authorizer', authorizing(CLOSED));

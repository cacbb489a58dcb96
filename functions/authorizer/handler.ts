import { CLOSED } from '#service';
import { authorizing } from '../../shared/authorization/authorizer.ts';
import { basePathOf } from '../../shared/lambda/event.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { isDenied } from '../../shared/store/idempotency/denied-subjects.ts';

export const handler = observeBackground('authorizer', authorizing(CLOSED, { basePathOf, isDenied }));

import { testEveryCall } from './every-call.ts';
import { files } from './scenarios/files.ts';
import { requests } from './scenarios/requests.ts';

testEveryCall([...requests, ...files]);

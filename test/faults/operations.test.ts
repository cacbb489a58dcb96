import { testEveryCall } from './every-call.ts';
import { bulk } from './scenarios/bulk.ts';
import { operations } from './scenarios/operations.ts';

testEveryCall([...operations, ...bulk]);

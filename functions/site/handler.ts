import { serve } from '../../shared/lambda/serve.ts';
import { site } from './resource.ts';

export const handler = serve(site);

import { type Service, service } from './service.ts';

/** The services of this run. */
export const services: Service[] = [];

/** Starts one service for each worker of jest: its test files use the service one after the other. */
export default async function startServices({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  if (process.env.BASE_URL !== undefined) return;
  const started = await Promise.all(Array.from({ length: maxWorkers }, () => service()));
  started.forEach(({ url }, index) => {
    process.env[`TEST_SERVICE_${index + 1}`] = url;
  });
  services.push(...started);
}

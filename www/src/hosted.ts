// Starts the hosted page, whose later part is a file of its own.
import { startPage } from './page';
import type { later } from './later';

/** The build fills in its name, which has a hash: a page never gets the later part of another build. */
declare const LATER_FILE: string;

startPage(async (again) => {
  const url = new URL(LATER_FILE, import.meta.url);
  if (again > 0) url.searchParams.set('again', String(again));
  return ((await import(url.href)) as { later: typeof later }).later;
});

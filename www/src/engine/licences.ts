// Where the licences of others are: a file in the folder of the hosted page; packed in the single file.
import { say } from '../base/messages';
import { EngineError } from './errors';
import { decode } from './base64';
import { unpacked } from './unpacked';

const PACKED_ELEMENT = 'steplens-packed-licences';
const FILE = 'licences.txt';

export async function licences(): Promise<string> {
  const packed = document.getElementById(PACKED_ELEMENT);
  if (packed) return unpacked(decode(packed.textContent ?? '')).text();
  const response = await fetch(FILE);
  if (!response.ok) throw new EngineError({ code: 'page-incomplete', message: say('got-status', { status: String(response.status) }) });
  return response.text();
}

// An op type in a table: its name with the colour that its ops have in the lanes. Its row lights them up.
import { el } from '../../base/dom';
import { colorNames } from '../../draw/theme';
import type { Category } from '../../engine/protocol';
import { colorOfType } from '../../state/shown/colors';
import type { State, Context } from '../../state/state';
import { nameCell } from './parts';

interface OfType {
  op_type: string;
  category: Category;
}

/** What its colour is called in the style sheet. */
export function typeLook(state: State, { op_type, category }: OfType): string {
  const color = colorOfType(state, op_type);
  return color === null ? category : (colorNames('op_type')[color] ?? category);
}

export function typeCell({ state }: Context, row: OfType): HTMLElement[] {
  const name = nameCell(row.op_type);
  name.dataset['opType'] = row.op_type;
  name.dataset['category'] = row.category;
  return [el('span', { class: `dot dot-${typeLook(state, row)}`, title: row.category }), name];
}

/** The name alone, where something else in the row has a colour. */
export const typeName = (op_type: string): HTMLElement => el('span', { 'data-op-type': op_type }, op_type);

export interface Named {
  op_type: string;
  /** Null where it is not known. */
  category: string | null;
}

/** The type that the row of a table or the entry of the legend is about which `target` is a part of. */
export function typeOf(target: Element): Named | null {
  const about = target.closest<HTMLElement>('[data-op-type]') ?? target.closest('tr')?.querySelector<HTMLElement>('[data-op-type]');
  const { opType: op_type, category = null } = about?.dataset ?? {};
  return op_type === undefined ? null : { op_type, category };
}

/** The type that the row of a table is about which `target` is a part of. */
export const typeOfRow = (target: Element): string | null =>
  target.closest('tr')?.querySelector<HTMLElement>('[data-op-type]')?.dataset['opType'] ?? null;

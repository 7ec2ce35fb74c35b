// Answers of the core: FleetLists, FinishedLast, FleetFinding, LinkMatrix, SlowLink, LinkEnd, LinkCell, FleetOpType, FleetFiles and FailedFile.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Ns } from '../../base/time';
import type { StepRule } from './words';

/** What a run has next to its cells. */
export interface FleetLists {
  /** Of sources that hold several tasks: who finished last, most time first. */
  stragglers: FinishedLast[];
  /** By saving over all sources, then by how many have it. */
  findings: FleetFinding[];
  /** How many findings are in none of these, because there are too many different ones. */
  findings_left_out: number;
  /** The matrix of links. */
  links: LinkMatrix;
  /** By time. */
  op_types: FleetOpType[];
  /** Of all files of the run. */
  files: FleetFiles;
}

/** A task that finished last. */
export interface FinishedLast {
  /** Its name. */
  task: string;
  /** In how many steps. */
  steps: number;
  /** How long after the next to last, over all of them. */
  time_ns: Ns;
  /** The cause of most of these steps, as a word; '' where none is known. */
  cause: string;
  /** The op type of that cause; '' without one. */
  cause_op_type: string;
  /** The step in which it was behind most. */
  step: number;
  /** The file with that step. */
  source: string;
}

/** The same finding in any number of files. */
export interface FleetFinding {
  /** Its rule. */
  rule: StepRule;
  /** Its subject. */
  subject: string;
  /** How many files have it. */
  sources: number;
  /** How many of them know a saving. */
  with_saving: number;
  /** Of these together, in one step of each. */
  saving_ns: Ns;
  /** The largest of them, or of the first file where none is known. */
  step: number;
  /** The task it names there; '' for none. */
  task: string;
  /** That file. */
  source: string;
  /** What it says there. */
  what: string;
}

/** What goes from whom to whom. */
export interface LinkMatrix {
  /** The rows and columns: tasks, or where there are too many of them several that follow one another. */
  ends: LinkEnd[];
  /** The cells that have a transfer. */
  cells: LinkCell[];
  /** Links that are slower than others of their kind (between tasks, or within one), those that lost most first. */
  slow: SlowLink[];
  /** Transfers between tasks that the run does not have. */
  left_out: number;
  /** Rows of links that none of the slow ones can be, because there are too many different ones. */
  unranked: number;
}

/** A link next to the median of its kind; only transfers whose time in transit is known count. */
export interface SlowLink {
  /** Who sends. */
  source: string;
  /** Who receives. */
  destination: string;
  /** What was sent. */
  bytes: number;
  /** Time with any of it in transit, added over steps. */
  busy_ns: Ns;
  /** In bytes per second of that time. */
  rate: number;
  /** The median rate of the links of its kind. */
  usual_rate: number;
  /** How much less busy it would be at that rate. */
  lost_ns: Ns;
}

/** Tasks that are one row of the matrix. */
export interface LinkEnd {
  /** The first of them. */
  first: string;
  /** The last of them; the same where it is one. */
  last: string;
}

/** A cell of the matrix. */
export interface LinkCell {
  /** Who sends, among the ends. */
  from: number;
  /** Who receives, among the ends. */
  to: number;
  /** How many transfers. */
  transfers: number;
  /** Of all of them. */
  bytes: number;
  /** Of those whose time in transit is known. */
  timed_bytes: number;
  /** Time with any of these in transit, added over links and steps. */
  busy_ns: Ns;
}

/** An op type over all tasks and steps. */
export interface FleetOpType {
  /** Its name. */
  op_type: string;
  /** `accelerator` or `host`. */
  place: string;
  /** How many ops. */
  count: number;
  /** Of all of them. */
  total_ns: Ns;
}

/** How the files of a run were read. */
export interface FleetFiles {
  /** Without a fault. */
  whole: number;
  /** With a part that could not be read. */
  damaged: number;
  /** Not at all. */
  unreadable: number;
  /** Files that are no traces. */
  no_trace: number;
  /** Those that are not whole and no trace, the first thousand. */
  failed: FailedFile[];
}

/** A file that was not read, or not all of it. */
export interface FailedFile {
  /** Its path below the folder of the traces. */
  source: string;
  /** `damaged` or `unreadable`. */
  state: string;
  /** The code of its first problem. */
  code: string;
  /** That problem. */
  what: string;
}

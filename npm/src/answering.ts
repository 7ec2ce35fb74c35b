// The methods that answer, and what may be chosen of each.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.
import type { Clocks, Counters, CriticalPath, Doctor, Findings, Flame, Kernels, Memory, Network, Ops, Scheduling, Steps, Summary, Transfers, WhatIf } from './answers.js';

/** The answers by the names of the methods that give them. */
export interface Answers {
  summary: Summary;
  ops: Ops;
  transfers: Transfers;
  network: Network;
  memory: Memory;
  kernels: Kernels;
  counters: Counters;
  flame: Flame;
  criticalPath: CriticalPath;
  scheduling: Scheduling;
  whatIf: WhatIf;
  steps: Steps;
  clocks: Clocks;
  doctor: Doctor;
  findings: Findings;
}

/** What the methods are given. */
export interface Chosen {
  summary: [];
  ops: [];
  transfers: [];
  network: [];
  memory: [];
  kernels: [];
  counters: [];
  flame: [layers?: 'ops' | 'modules' | 'python' | 'scopes', measure?: 'time' | 'gpu'];
  criticalPath: [];
  scheduling: [threads?: number, tiny_ns?: number];
  whatIf: [changes?: readonly string[]];
  steps: [rule?: 'content' | 'file' | 'part' | 'together'];
  clocks: [];
  doctor: [];
  findings: [];
}

/** What the command line calls each, and the names of what may be chosen. */
export const QUESTIONS: { readonly [Name in keyof Answers]: readonly [string, ...string[]] } = {
  summary: ['summary'],
  ops: ['ops'],
  transfers: ['transfers'],
  network: ['network'],
  memory: ['memory'],
  kernels: ['kernels'],
  counters: ['counters'],
  flame: ['flame', 'layers', 'measure'],
  criticalPath: ['critical-path'],
  scheduling: ['scheduling', 'threads', 'tiny_ns'],
  whatIf: ['what-if', 'changes'],
  steps: ['steps', 'rule'],
  clocks: ['clocks'],
  doctor: ['doctor'],
  findings: ['findings'],
};

export abstract class Answering {
  protected abstract answered<Name extends keyof Answers>(name: Name, ...chosen: Chosen[Name]): Answers[Name];

  /** The files, the step and its devices: how the time of each divides. */
  summary(): Summary {
    return this.answered('summary');
  }

  /** Every op, as an object for each. */
  ops(): Ops {
    return this.answered('ops');
  }

  /** Every transfer, and what went over each link. */
  transfers(): Transfers {
    return this.answered('transfers');
  }

  /** What communication costs, and what to blame: links, waits, stragglers, collectives, the order of arrival. */
  network(): Network {
    return this.answered('network');
  }

  /** Which bytes were alive when, and what was alive at the peak. */
  memory(): Memory {
    return this.answered('memory');
  }

  /** The kernels of GPUs by name: how long they took, how they were launched, and by which ops. */
  kernels(): Kernels {
    return this.answered('kernels');
  }

  /** What was counted over time, with all values: the counters of the files, the queue of each stream and what its copies moved. */
  counters(): Counters {
    return this.answered('counters');
  }

  /**
   * What ran inside of what, summed by path of names.
   *
   * @param layers What it is made of: `modules`, `ops`, `python` or `scopes`; what of these says most if it is not chosen.
   * @param measure What widths and orders are of: `time`, or `gpu`.
   */
  flame(layers?: 'ops' | 'modules' | 'python' | 'scopes', measure?: 'time' | 'gpu'): Flame {
    return this.answered('flame', layers, measure);
  }

  /** What the step waited for, moment by moment, and what dependencies alone allow. */
  criticalPath(): CriticalPath {
    return this.answered('criticalPath');
  }

  /**
   * When ops were ready, scheduled and run, and what ran instead.
   *
   * @param threads The number of threads that run ops, for who knows it.
   * @param tiny_ns Ops shorter than this are tiny; 10 µs if it is not chosen.
   */
  scheduling(threads?: number, tiny_ns?: number): Scheduling {
    return this.answered('scheduling', threads, tiny_ns);
  }

  /**
   * How long the step would take if something were different; without changes, what would help.
   *
   * @param changes Each written as the option of `steplens what-if` without its hyphens: `op=type:Conv2D=0.5`.
   */
  whatIf(changes?: readonly string[]): WhatIf {
    return this.answered('whatIf', changes);
  }

  /**
   * The steps and runs in the files.
   *
   * @param rule What makes a step: `content`, `file`, `part` or `together`; as what is shown was divided if it is not chosen.
   */
  steps(rule?: 'content' | 'file' | 'part' | 'together'): Steps {
    return this.answered('steps', rule);
  }

  /** How far the clocks of the tasks are apart, by the tensors that they sent each other. */
  clocks(): Clocks {
    return this.answered('clocks');
  }

  /** What is wrong with a trace that reads well, and what repairs it. */
  doctor(): Doctor {
    return this.answered('doctor');
  }

  /** What is worth changing, by the time that it would save. */
  findings(): Findings {
    return this.answered('findings');
  }
}

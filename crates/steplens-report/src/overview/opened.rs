//! A summary that was read. Planes are unpacked when they are asked for, and then kept.

use super::error::{Unreadable, UnreadableKind, damaged};
use super::figure::Stored;
use super::file::{self, Head, PlaneOf, Run, f32s, i64s, u32s};
use super::shape::Grid;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The most bytes of the names of a run's sources: a million long paths.
const MOST_NAMES: usize = 512 << 20;

/// The summary of a dataset.
#[derive(Debug)]
pub struct Overview {
    head: Head,
    file: Vec<u8>,
    /// Where the blocks begin.
    blocks: usize,
    /// By run and figure, what was unpacked.
    means: BTreeMap<(usize, Stored), Rc<Vec<f32>>>,
    largest: BTreeMap<(usize, Stored), Rc<Largest>>,
    names: BTreeMap<usize, Rc<Names>>,
    steps: BTreeMap<usize, Vec<i64>>,
}

/// By cell, the largest row of a figure.
#[derive(Debug)]
pub(crate) struct Largest {
    pub(crate) value: Vec<f32>,
    /// Among the steps of the run.
    pub(crate) step: Vec<u32>,
    /// Among the sources.
    pub(crate) source: Vec<u32>,
}

/// Names of sources.
#[derive(Debug)]
pub(crate) struct Names {
    text: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
    /// By cell; empty where each figure has its own.
    of: Vec<u32>,
}

impl Names {
    pub(crate) fn name(&self, source: u32) -> Option<&str> {
        let end = *self.ends.get(source as usize)?;
        let begin = match source {
            0 => 0,
            _ => self.ends.get(source as usize - 1)? + 1,
        };
        self.text.get(begin..end).and_then(|name| std::str::from_utf8(name).ok())
    }

    /// The one source of a cell.
    pub(crate) fn of_cell(&self, cell: usize) -> Option<&str> {
        self.of.get(cell).and_then(|&source| self.name(source))
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).filter_map(|at| self.name(at as u32))
    }
}

impl Overview {
    /// Reads `overview.steplens-fleet`; planes are read when they are asked for.
    ///
    /// # Errors
    ///
    /// If it is no such file, or is damaged in its head.
    pub fn read(file: Vec<u8>) -> Result<Self, Unreadable> {
        let (head, blocks) = file::read(&file)?;
        Ok(Self {
            head,
            file,
            blocks,
            means: BTreeMap::new(),
            largest: BTreeMap::new(),
            names: BTreeMap::new(),
            steps: BTreeMap::new(),
        })
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.head.runs.len()
    }

    /// How a run is divided.
    ///
    /// # Errors
    ///
    /// If there is no such run.
    pub fn grid(&self, run: usize) -> Result<Grid, Unreadable> {
        Ok(self.run(run)?.grid)
    }

    /// Every file that a cell or a list of a run names, in no order: what may be opened.
    ///
    /// # Errors
    ///
    /// If there is no such run, or its names are damaged.
    pub fn sources(&mut self, run: usize) -> Result<Vec<String>, Unreadable> {
        let names = self.names(run)?;
        let lists = &self.run(run)?.lists;
        let of_lists = lists.stragglers.iter().map(|row| row.source.as_str());
        let of_lists = of_lists.chain(lists.findings.iter().map(|row| row.source.as_str()));
        let of_lists = of_lists.chain(lists.files.failed.iter().map(|row| row.source.as_str()));
        Ok(names.all().chain(of_lists).map(str::to_owned).collect())
    }

    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    /// The bytes of a block.
    pub(crate) fn unpacked(&self, block: file::Block, part: &'static str) -> Result<Vec<u8>, Unreadable> {
        block.unpacked(&self.file[self.blocks..], part)
    }

    pub(crate) fn run(&self, run: usize) -> Result<&Run, Unreadable> {
        self.head.runs.get(run).ok_or(UnreadableKind::NoRun { run }.into())
    }

    /// By cell, the mean; NaN where the cell has no row.
    ///
    /// # Errors
    ///
    /// If there is no such run, or the plane is damaged.
    pub fn mean(&mut self, run: usize, figure: Stored) -> Result<Rc<Vec<f32>>, Unreadable> {
        if let Some(known) = self.means.get(&(run, figure)) {
            return Ok(Rc::clone(known));
        }
        let cells = self.run(run)?.grid.cells();
        let plane = match self.plane(run, figure)? {
            Some(plane) => self.f32s(plane.mean, cells)?,
            None if figure == Stored::Window => vec![f32::NAN; cells],
            None => {
                let zero = |window: &f32| if window.is_nan() { f32::NAN } else { 0.0 };
                self.mean(run, Stored::Window)?.iter().map(zero).collect()
            }
        };
        let plane = Rc::new(plane);
        self.means.insert((run, figure), Rc::clone(&plane));
        Ok(plane)
    }

    /// By cell, the largest row; `None` where cells have one row each, or the figure is 0 everywhere.
    pub(crate) fn largest(&mut self, run: usize, figure: Stored) -> Result<Option<Rc<Largest>>, Unreadable> {
        if let Some(known) = self.largest.get(&(run, figure)) {
            return Ok(Some(Rc::clone(known)));
        }
        let cells = self.run(run)?.grid.cells();
        let Some(most) = self.plane(run, figure)?.and_then(|plane| plane.most.as_ref()) else {
            return Ok(None);
        };
        let largest = Rc::new(Largest {
            value: self.f32s(most.value, cells)?,
            step: self.u32s(most.step, cells)?,
            source: self.u32s(most.source, cells)?,
        });
        self.largest.insert((run, figure), Rc::clone(&largest));
        Ok(Some(largest))
    }

    pub(crate) fn names(&mut self, run: usize) -> Result<Rc<Names>, Unreadable> {
        if let Some(known) = self.names.get(&run) {
            return Ok(Rc::clone(known));
        }
        let own = self.run(run)?;
        if own.source_names.bytes > MOST_NAMES {
            return Err(damaged("sources", own.source_names.bytes));
        }
        let text = self.unpacked(own.source_names, "sources")?;
        let ends: Vec<usize> =
            text.iter().enumerate().filter(|(_, byte)| **byte == 0).map(|(at, _)| at).collect();
        if ends.len() != own.sources {
            return Err(damaged("sources", ends.len()));
        }
        let of = match own.source_of {
            Some(block) => self.u32s(block, own.grid.cells())?,
            None => Vec::new(),
        };
        let names = Rc::new(Names { text, ends, of });
        self.names.insert(run, Rc::clone(&names));
        Ok(names)
    }

    /// By column, when it began, in ns from 1970; 0 where that is not known.
    pub(crate) fn starts(&self, run: usize) -> Result<Vec<i64>, Unreadable> {
        let own = self.run(run)?;
        if own.starts.bytes != own.grid.columns * 8 {
            return Err(damaged("starts", own.starts.bytes));
        }
        let bytes = self.unpacked(own.starts, "starts")?;
        i64s(&bytes, own.grid.columns).ok_or_else(|| damaged("starts", bytes.len()))
    }

    /// The number of a step by its place among the steps of the run, where cells may stand for several.
    pub(crate) fn step_number(&mut self, run: usize, place: u32) -> Result<Option<i64>, Unreadable> {
        if !self.steps.contains_key(&run) {
            let own = self.run(run)?;
            let Some(block) = own.step_numbers else { return Ok(None) };
            if own.steps.checked_mul(8) != Some(block.bytes) {
                return Err(damaged("steps", block.bytes));
            }
            let bytes = self.unpacked(block, "steps")?;
            let steps = i64s(&bytes, own.steps).ok_or_else(|| damaged("steps", bytes.len()))?;
            self.steps.insert(run, steps);
        }
        Ok(self.steps.get(&run).and_then(|steps| steps.get(place as usize)).copied())
    }

    fn plane(&self, run: usize, figure: Stored) -> Result<Option<&PlaneOf>, Unreadable> {
        Ok(self.run(run)?.planes.iter().find(|plane| plane.figure == figure))
    }

    fn f32s(&self, block: file::Block, cells: usize) -> Result<Vec<f32>, Unreadable> {
        // Before it is unpacked: what is larger than it can be takes no memory.
        if block.bytes != cells * 3 {
            return Err(damaged("plane", block.bytes));
        }
        let bytes = self.unpacked(block, "plane")?;
        f32s(&bytes, cells).ok_or_else(|| damaged("plane", bytes.len()))
    }

    fn u32s(&self, block: file::Block, cells: usize) -> Result<Vec<u32>, Unreadable> {
        if block.bytes != cells * 4 {
            return Err(damaged("plane", block.bytes));
        }
        let bytes = self.unpacked(block, "plane")?;
        u32s(&bytes, cells).ok_or_else(|| damaged("plane", bytes.len()))
    }
}

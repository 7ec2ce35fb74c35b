//! The texts of `--help`, from the catalogue: for a command `help-command-COMMAND`; for an argument `help-COMMAND-ARGUMENT`, or
//! `help-ARGUMENT` if several commands have it.

use crate::commands::Args;
use clap::{Arg, Command, CommandFactory};
use steplens_messages::all;

/// The command line, with its texts.
pub(crate) fn command() -> Command {
    let command = Args::command().about(of(&["help".to_owned()])).after_help(of(&["help-after".to_owned()]));
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let about = of(&[format!("help-command-{name}")]);
        command.about(about).mut_args(|argument| with_help(&name, argument))
    })
}

fn with_help(command: &str, argument: Arg) -> Arg {
    // clap writes the texts for these itself.
    if ["help", "version"].contains(&argument.get_id().as_str()) {
        return argument;
    }
    let id = argument.get_id().as_str().replace('_', "-");
    argument.help(of(&[format!("help-{command}-{id}"), format!("help-{id}")]))
}

/// The first of these messages that exists; empty if none does. A test makes sure that this never happens.
fn of(ids: &[String]) -> &'static str {
    let found = ids.iter().find_map(|id| all().binary_search_by(|message| message.id.cmp(id)).ok());
    found.map_or("", |place| all()[place].message.plain())
}

/// Whether a command or argument uses this message of `help.ftl`.
#[cfg(test)]
fn is_used(message: &steplens_messages::Entry, command: &Command) -> bool {
    let of_command = |command: &Command| {
        let name = command.get_name();
        command.get_arguments().any(|argument| {
            let id = argument.get_id().as_str().replace('_', "-");
            [format!("help-{name}-{id}"), format!("help-{id}")].contains(&message.id.to_owned())
        }) || message.id == format!("help-command-{name}")
    };
    ["help", "help-after"].contains(&message.id) || command.get_subcommands().any(of_command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use steplens_export::Format;

    #[test]
    fn everything_has_its_help_and_every_help_its_thing() {
        let command = command();
        for sub in command.get_subcommands() {
            assert!(sub.get_about().is_some_and(|about| !about.to_string().is_empty()), "{}", sub.get_name());
            for argument in sub.get_arguments() {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_empty(), "steplens {} --{} has no help", sub.get_name(), argument.get_id());
            }
        }
        let unused =
            all().iter().filter(|message| message.id.starts_with("help") && !is_used(message, &command));
        let unused: Vec<_> = unused.map(|message| message.id).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }

    #[test]
    fn the_help_of_an_export_names_every_format() {
        let (about, output) = (of(&["help-export-format".into()]), of(&["help-export-output".into()]));
        for format in Format::ALL {
            let facts = format.facts();
            assert!(about.contains(&format!("({})", facts.word)), "{}", facts.word);
            assert_eq!(output.contains(facts.word), facts.has_several_files, "{}", facts.word);
        }
    }
}

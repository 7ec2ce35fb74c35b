//! Reads Rust sources: the structs that serde writes, and the words that functions take and say.

use std::fs;
use std::path::Path;
use syn::visit::Visit;
use syn::{
    Arm, Attribute, Expr, ExprLit, Field, GenericArgument, ImplItem, ItemFn, ItemImpl, ItemStruct, Lit, Meta,
    Pat, PathArguments, Type,
};

/// The structs of one Rust file, and the file of TypeScript that they become, without its ending.
pub(crate) struct File {
    pub(crate) output: String,
    pub(crate) structs: Vec<Struct>,
}

pub(crate) struct Struct {
    /// In Rust, and on the page.
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    /// The names of its type parameters.
    pub(crate) parameters: Vec<String>,
    pub(crate) fields: Vec<Member>,
}

/// A field of a struct.
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) docs: Vec<String>,
    pub(crate) kind: Type,
    /// `#[serde(flatten)]`.
    pub(crate) is_flat: bool,
    /// `#[serde(skip_serializing_if = …)]`.
    pub(crate) may_be_absent: bool,
}

/// Every struct of the file that derives `Serialize`, those within functions among them.
pub(crate) fn structs(path: &Path) -> Vec<Struct> {
    let mut found = Structs(Vec::new());
    found.visit_file(&parsed(path));
    found.0
}

/// What a file says of a question: see `steplens_report::question`.
#[derive(Default)]
pub(crate) struct Question {
    /// What may be chosen: all that serde reads of the struct `Options`.
    pub(crate) options: Option<Struct>,
    /// The struct that JSON is written from.
    pub(crate) answer: Option<String>,
}

/// The question of a file, if it has one.
pub(crate) fn question(path: &Path) -> Question {
    let mut found = Question::default();
    found.visit_file(&parsed(path));
    found
}

impl<'ast> Visit<'ast> for Question {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        if item.ident == "Options" {
            self.options = Some(of(item));
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let is_question =
            |path: &syn::Path| path.segments.last().is_some_and(|last| last.ident == "Question");
        if !item.trait_.as_ref().is_some_and(|(_, path, _)| is_question(path)) {
            return;
        }
        for own in &item.items {
            if let ImplItem::Type(own) = own
                && own.ident == "Answer"
            {
                self.answer = Some(inner(&own.ty).0);
            }
        }
    }
}

/// What is within `Option<…>`.
pub(crate) fn option(kind: &Type) -> Option<&Type> {
    option_or_list(kind).filter(|&(is_option, _)| is_option).map(|(_, inner)| inner)
}

/// What is within `Option<…>`, which is true, or within `Vec<…>`.
pub(crate) fn option_or_list(kind: &Type) -> Option<(bool, &Type)> {
    let (name, arguments) = inner(kind);
    let is_option = name == "Option";
    (is_option || name == "Vec").then_some(arguments.first().map(|inner| (is_option, *inner)))?
}

/// The name of a type, and the types within its `<…>`.
pub(crate) fn inner(kind: &Type) -> (String, Vec<&Type>) {
    let Type::Path(path) = kind else { return (String::new(), Vec::new()) };
    let Some(last) = path.path.segments.last() else { return (String::new(), Vec::new()) };
    let PathArguments::AngleBracketed(list) = &last.arguments else {
        return (last.ident.to_string(), Vec::new());
    };
    let kinds = list.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    });
    (last.ident.to_string(), kinds.collect())
}

struct Structs(Vec<Struct>);

impl<'ast> Visit<'ast> for Structs {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        if !derives_serialize(&item.attrs) {
            return;
        }
        let name = item.ident.to_string();
        assert!(
            serde_words(&item.attrs).is_empty(),
            "{name}: no attribute of serde on a struct is known here"
        );
        self.0.push(of(item));
    }
}

fn of(item: &ItemStruct) -> Struct {
    let name = item.ident.to_string();
    let fields = item.fields.iter().filter(|field| !is_skipped(field));
    Struct {
        docs: docs(&item.attrs),
        parameters: item.generics.type_params().map(|parameter| parameter.ident.to_string()).collect(),
        fields: fields.map(|field| member(&name, field)).collect(),
        name,
    }
}

/// Whether serde does not write `field`.
fn is_skipped(field: &Field) -> bool {
    serde_words(&field.attrs).iter().any(|(word, _)| word == "skip")
}

fn member(of: &str, field: &Field) -> Member {
    let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
    let serde = serde_words(&field.attrs);
    for (word, _) in &serde {
        let known = ["flatten", "skip_serializing_if", "rename"].contains(&word.as_str());
        assert!(known, "{of}.{name}: `serde({word})` is not known here; teach it to this test");
    }
    Member {
        docs: docs(&field.attrs),
        kind: field.ty.clone(),
        is_flat: serde.iter().any(|(word, _)| word == "flatten"),
        may_be_absent: serde.iter().any(|(word, _)| word == "skip_serializing_if"),
        name: serde.into_iter().find(|(word, _)| word == "rename").map_or(name, |(_, new)| new),
    }
}

/// The words of the match of a function, in their order: those that it takes, else those that it says. `function` is
/// `Type::method`, or a free function.
pub(crate) fn words(path: &Path, function: &str) -> Vec<String> {
    let file = parsed(path);
    let mut found = Words { function, words: Vec::new(), file: &file };
    found.visit_file(&file);
    assert!(!found.words.is_empty(), "{} has no `{function}` that takes or says words", path.display());
    found.words
}

struct Words<'a> {
    function: &'a str,
    words: Vec<String>,
    file: &'a syn::File,
}

impl<'ast> Visit<'ast> for Words<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if item.sig.ident == self.function {
            syn::visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let Type::Path(own) = &*item.self_ty else { return };
        for method in &item.items {
            if let ImplItem::Fn(method) = method
                && own
                    .path
                    .get_ident()
                    .is_some_and(|own| format!("{own}::{}", method.sig.ident) == self.function)
            {
                self.visit_block(&method.block);
            }
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if let Pat::Lit(ExprLit { lit: Lit::Str(text), .. }) = &arm.pat {
            self.words.push(text.value());
            return;
        }
        let body = match &*arm.body {
            Expr::Call(some) => some.args.first(),
            Expr::Path(none) if none.path.is_ident("None") => return,
            Expr::Return(_) => return,
            body => Some(body),
        };
        let word = match body {
            Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text.value()),
            Some(Expr::Path(path)) => path.path.get_ident().and_then(|name| self.constant(&name.to_string())),
            _ => None,
        };
        self.words.push(word.unwrap_or_else(|| panic!("a word of {} is no text", self.function)));
    }
}

impl Words<'_> {
    fn constant(&self, name: &str) -> Option<String> {
        self.file.items.iter().find_map(|item| match item {
            syn::Item::Const(constant) if constant.ident == name => match &*constant.expr {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
    }
}

fn parsed(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("could not read {}: {e}", path.display()));
    syn::parse_file(&text).unwrap_or_else(|e| panic!("could not parse {}: {e}", path.display()))
}

fn derives_serialize(attributes: &[Attribute]) -> bool {
    let mut found = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        attribute
            .parse_nested_meta(|meta| {
                found |= meta.path.is_ident("Serialize");
                Ok(())
            })
            .expect("a derive is a list of names");
    }
    found
}

/// The words of `#[serde(word, word = "value")]`, each with its value.
fn serde_words(attributes: &[Attribute]) -> Vec<(String, String)> {
    let mut words = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        attribute
            .parse_nested_meta(|meta| {
                let mut value = String::new();
                if meta.input.peek(syn::Token![=])
                    && let Lit::Str(text) = meta.value()?.parse::<Lit>()?
                {
                    value = text.value();
                }
                words.extend(meta.path.get_ident().map(|word| (word.to_string(), value)));
                Ok(())
            })
            .expect("an attribute of serde is a list");
    }
    words
}

fn docs(attributes: &[Attribute]) -> Vec<String> {
    let text = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_string()),
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(text).collect()
}

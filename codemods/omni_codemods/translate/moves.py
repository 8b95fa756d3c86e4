"""Carrying out the moves: new imports, new names at each use, and nothing that collides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from omni_codemods.findings.translate_codes import AMBIGUOUS_NAME, GUARDED, KEPT_BY_COMMENT
from omni_codemods.names.scopes import (
    Binding,
    Guard,
    ScopeKind,
    imported_path,
)
from omni_codemods.table.entries import BaseClass, Entry
from omni_codemods.text.dotted import owner_of
from omni_codemods.translate.decide import Group, Move
from omni_codemods.translate.facts import Reference
from omni_codemods.translate.free_names import FreeNames, group_offset
from omni_codemods.translate.import_merge import Planned, find_existing, is_imported
from omni_codemods.translate.imports_plan import ImportPlan
from omni_codemods.translate.index import Answer
from omni_codemods.translate.rules.held import find_hold, report_held
from omni_codemods.translate.transformers.changes import (
    NewImport,
    RenamedAttributes,
    Respelled,
    Target,
)
from omni_codemods.translate.work import Work

# What stands before the package in an import statement.
_IMPORT = re.compile(r"(?:^|[;:])[ \t]*(?:from|import)[ \t]+(?:[^#;]*,[ \t]*)?\Z")


class Mover:
    """Plans the moves of all groups; *moved* are the references that really went."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.plan = ImportPlan()
        self.moved: dict[int, Move] = {}
        self.renamed: dict[tuple[int, str], str] = {}
        self.free = FreeNames(work)
        self.planned = Planned()

    def run(self, groups: Iterable[Group]) -> None:
        """Plan and edit all *groups*."""
        for group in groups:
            entry = self.work.index.paths.get(group.path)
            if entry is not None and find_hold(self.work, entry) is not None:
                self._report_held(group, entry)
            elif group.path in self.work.index.answers:
                self._direct(group)
            elif group.moves:
                self._through_module(group)

    def _report_held(self, group: Group, entry: Entry) -> None:
        for binding in group.bindings:
            if binding.alias is not None and not isinstance(entry, BaseClass):
                report_held(self.work, entry, self.work.source.span(binding.alias), binding.guard)

    # A name that is itself imported: "from module import name"

    def _direct(self, group: Group) -> None:
        entry = self.work.index.paths[group.path]
        answer = self.work.index.answers[group.path]
        blocked = [b for b in group.bindings if self._is_blocked(b)]
        if blocked or (not group.moves and (group.stays or isinstance(entry, BaseClass))):
            return
        if group.stays:
            self._split(group, answer)
            return
        asname = self._asname(group, answer)
        local = asname or answer.name
        if not asname and not self.free.claim(group, answer):
            return
        for binding in group.bindings:
            self._import_in_place(group, binding, answer, asname)
        for move in group.moves:
            self._rename(move, local + ("" if asname else answer.suffix))
        self._rename_declarations(group, local)
        if local != group.name:
            self.renamed[id(group.scope), group.name] = local
        self._record_import(group, answer)

    def _asname(self, group: Group, answer: Answer) -> str:
        """The local name to keep: an explicit alias, or a class attribute others may read."""
        if answer.suffix:
            return ""
        if group.name == answer.name:
            # "name as name" says that the import is there to be exported.
            exported = all(
                b.alias is not None and b.alias.asname == b.alias.name for b in group.bindings
            )
            return group.name if exported else ""
        aliased = all(b.alias is not None and b.alias.asname for b in group.bindings)
        if aliased or group.scope.kind is ScopeKind.CLASS:
            return group.name
        return ""

    def _import_in_place(self, group: Group, binding: Binding, answer: Answer, asname: str) -> None:
        statement, alias = binding.statement, binding.alias
        if statement is None or alias is None:
            return
        existing = find_existing(self.work, group, answer, binding)
        if existing and not asname:
            self.plan.remove(statement, alias)
            if existing is not True:
                self.plan.merge(existing, NewImport(answer.module, answer.name))
            return
        offset = self.work.source.span(statement)[0]
        if not asname and self.planned.has(group, binding, answer, offset):
            self.plan.remove(statement, alias)
            return
        self.plan.replace(statement, alias, NewImport(answer.module, answer.name, asname))

    def _split(self, group: Group, answer: Answer) -> None:
        """Some uses go, some stay: the old import stays, the new one comes beside it."""
        if self._is_declared(group) or not self.free.claim(group, answer):
            return
        for binding in group.bindings:
            self._add(group, binding, answer)
        for move in group.moves:
            self._rename(move, answer.name + answer.suffix)
        self._record_import(group, answer)

    def _record_import(self, group: Group, answer: Answer) -> None:
        entry = self.work.index.paths[group.path]
        for binding in group.bindings:
            if binding.statement is not None:
                offset = self.work.source.span(binding.statement)[0]
                self.work.changed(entry, offset, group.path, answer.path + answer.suffix)

    # A name that stands for a module: "import module", "from package import module"

    def _through_module(self, group: Group) -> None:
        inside = [m for m in group.moves if self._is_reached(m, group)]
        others = [m for m in group.moves if m not in inside]
        for move in inside:
            self._edit_chain(move, group.path.count(".") + 1)
        if inside:
            self._follow_submodules(group)
        if not others or any(self._is_blocked(b) for b in group.bindings):
            return
        if not self._alias_namespace(group, others) and not self._is_declared(group):
            self._by_name(group, others)

    def _is_reached(self, move: Move, group: Group) -> bool:
        """Whether the import that serves *move* serves the new name too."""
        if not self._within(move.answer, group.path):
            return False
        module = move.answer.module
        served = {owner_of(move.gpu), group.path}
        served |= {b.alias.name for b in group.bindings if b.alias is not None}
        known = self.work.index.namespace_of(move.gpu) is not None
        return module in served or known or self._is_namespace(move.answer)

    def _within(self, answer: Answer, path: str) -> bool:
        return not answer.suffix and answer.path.startswith(path + ".")

    def _edit_chain(self, move: Move, skip: int) -> None:
        """Rewrite the attributes of *move* that are part of the GPU name, one by one."""
        new = move.answer.path.split(".")[skip:]
        reference = move.reference
        spans = reference.spans[1 : move.depth + 1]
        old = reference.chain[: move.depth]
        if tuple(new) != old:
            renamed = RenamedAttributes(len(old), tuple(new))
            extent = (reference.spans[0][0], spans[-1][1])
            self.work.change(Target.ATTRIBUTE, extent[1], renamed, extent)
        self._record(move, ".".join((reference.name, *new)))

    def _follow_submodules(self, group: Group) -> None:
        """``import torch.cuda`` becomes ``import torch.npu`` when all that it serves moved."""
        for binding in group.bindings:
            alias, statement = binding.alias, binding.statement
            if alias is None or statement is None or self._is_blocked(binding):
                continue
            for namespace in self.work.index.namespaces:
                if alias.name != namespace.gpu or alias.asname:
                    continue
                prefix = namespace.gpu.split(".")[group.path.count(".") + 1 :]
                left = [r for r in group.stays if r.chain[: len(prefix)] == tuple(prefix)]
                if not left:
                    self.plan.replace(statement, alias, NewImport(namespace.npu))

    def _alias_namespace(self, group: Group, moves: list[Move]) -> bool:
        """The import is an alias of a whole namespace, and all that is read from it moves."""
        namespace = next((n for n in self.work.index.namespaces if n.gpu == group.path), None)
        if namespace is None or group.stays:
            return False
        if not all(self._within(m.answer, namespace.npu) for m in moves):
            return False
        module, _, name = namespace.npu.rpartition(".")
        local = group.name
        from_import = any(isinstance(b.statement, ast.ImportFrom) for b in group.bindings)
        aliased = all(b.alias is not None and b.alias.asname for b in group.bindings)
        if not aliased:
            # "import package" binds the package, and its uses spell the rest.
            root, _, _ = namespace.npu.partition(".")
            local = name if from_import else namespace.npu
            bound = Answer(module, name) if from_import else Answer("", root)
            if not self.free.claim(group, bound):
                return True
        for binding in group.bindings:
            if binding.statement is None or binding.alias is None:
                continue
            asname = local if binding.alias.asname else ""
            if isinstance(binding.statement, ast.ImportFrom):
                new = NewImport(module, name, asname)
            else:
                new = NewImport(namespace.npu, "", asname)
            self.plan.replace(binding.statement, binding.alias, new)
        self._rename_declarations(group, local)
        for move in moves:
            if local != group.name:
                self._respell_name(move.reference, local)
            self._edit_chain(move, namespace.npu.count(".") + 1)
        return True

    def _by_name(self, group: Group, moves: list[Move]) -> None:
        """Import each name itself and use it in the place of the dotted chain."""
        gone: list[Move] = []
        for move in moves:
            root, _, rest = move.answer.path.partition(".")
            scope = move.reference.scope
            if rest and imported_path(scope, root) == root and self._is_namespace(move.answer):
                self._replace_chain(move, move.answer.path + move.answer.suffix)
                gone.append(move)
            elif self.free.claim(group, move.answer, [move.reference]):
                self._import_beside(group, move)
                self._replace_chain(move, move.answer.name + move.answer.suffix)
                gone.append(move)
        self._remove_unused(group, gone)

    def _is_namespace(self, answer: Answer) -> bool:
        return any(self._within(answer, n.npu) for n in self.work.index.namespaces)

    def _import_beside(self, group: Group, move: Move) -> None:
        if is_imported(self.work, group.scope, move.answer, move.reference.offset):
            return
        module = owner_of(move.gpu)
        exact = [b for b in group.bindings if b.alias is not None and b.alias.name == module]
        whole = [b for b in group.bindings if b.alias is not None and b.path == group.name]
        for binding in exact or whole[:1] or group.bindings:
            self._add(group, binding, move.answer)

    def _add(self, group: Group, binding: Binding, answer: Answer) -> None:
        """Import *answer* after the statement of *binding*, unless a new import has it."""
        if binding.statement is None:
            return
        offset = self.work.source.span(binding.statement)[0]
        if not self.planned.has(group, binding, answer, offset):
            self.plan.add(binding.statement, NewImport(answer.module, answer.name))

    def _remove_unused(self, group: Group, gone: list[Move]) -> None:
        if group.stays or len(gone) != len(group.moves):
            return
        modules = {owner_of(move.gpu) for move in gone}
        for binding in group.bindings:
            alias, statement = binding.alias, binding.statement
            if alias is None or statement is None:
                continue
            serves = (
                binding.path
                if alias.asname or isinstance(statement, ast.ImportFrom)
                else alias.name
            )
            if serves in modules and not self._is_needed(binding, group, gone):
                self.plan.remove(statement, alias)

    def _is_needed(self, binding: Binding, group: Group, gone: list[Move]) -> bool:
        """Whether ``import package.module`` is all that binds the package, which is still read.

        Reads of the package that lead nowhere in the table are no references: the text decides.
        """
        if binding.path != group.name or len(group.bindings) > 1:
            return False
        text, root = self.work.source.text, re.escape(group.name)
        imports = len(re.findall(rf"^import {root}[\w.]*[ \t]*(?:#.*)?$", text, re.MULTILINE))
        if imports > binding.top_level:
            return False
        moved = {move.reference.offset for move in gone}
        return any(
            match.start() not in moved and not _IMPORT.search(_line_before(text, match.start()))
            for match in re.finditer(rf"(?<![\w.]){root}(?!\w)", text)
        )

    # Common

    def _replace_chain(self, move: Move, text: str) -> None:
        spans = move.reference.spans[: move.depth + 1]
        extent = (spans[0][0], spans[-1][1])
        if move.depth:
            self.work.change(Target.ATTRIBUTE, extent[1], Respelled(text), extent)
        else:
            self._respell_name(move.reference, text)
        self._record(move, text)

    def _rename(self, move: Move, text: str) -> None:
        if text != move.reference.name:
            self._respell_name(move.reference, text)
            self._record(move, text)
        self.moved[id(move.reference)] = move

    def _respell_name(self, reference: Reference, text: str) -> None:
        span = reference.spans[0]
        self.work.change(Target.NAME, span[0], Respelled(text), span)

    def _rename_declarations(self, group: Group, local: str) -> None:
        for reference in group.declarations:
            if local != group.name:
                self._respell_name(reference, local)

    def _record(self, move: Move, after: str) -> None:
        before = ".".join((move.reference.name, *move.reference.chain[: move.depth]))
        self.work.changed(move.entry, move.reference.offset, before, after)
        self.moved[id(move.reference)] = move

    def _is_blocked(self, binding: Binding) -> bool:
        if binding.statement is None or binding.alias is None:
            return False
        span = self.work.source.span(binding.alias)
        if binding.guard is Guard.BOTH:
            self.work.leave_bilingual(span[0], binding.path)
            return True
        if binding.guard is Guard.GPU:
            self.work.report(GUARDED, span[0], f"{binding.path} is imported for the GPU only")
            return True
        statement = self.work.source.span(binding.statement)
        if self.work.is_kept(span) or self.work.is_kept((statement[0], statement[0] + 1)):
            self.work.leave(KEPT_BY_COMMENT, span[0], f"{binding.path} is kept by a comment")
            return True
        return False

    def _is_declared(self, group: Group) -> bool:
        """Whether a ``global`` or ``nonlocal`` carries the import elsewhere; then report it.

        A new import beside it would bind its name where the uses do not see it.
        """
        if not any(binding.declared for binding in group.bindings):
            return False
        message = f"{group.path} is imported into another scope, and only some of its uses can go"
        self.work.report(AMBIGUOUS_NAME, group_offset(self.work, group), message)
        return True


def _line_before(text: str, offset: int) -> str:
    return text[text.rfind("\n", 0, offset) + 1 : offset]

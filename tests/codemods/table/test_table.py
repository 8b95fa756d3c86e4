"""Tables: schema errors, ranges, merging, clashes, and a backend that nobody has."""

from __future__ import annotations

import pytest

from omni_codemods.findings.errors import TableError
from omni_codemods.table.entries import Keyword, Namespace, Positional, Symbol, expand
from omni_codemods.table.table import find_clashes, load_table, merge, packaged
from omni_codemods.testing import check_noop, check_rewrite
from omni_codemods.translate import translate

ACME = """
name = "acme"
distribution = "acme-vllm"
releases = ["1.0", "2.0"]

[[symbol]]
id = "engine"
gpu = "render.engine.Engine"
npu = "acme.engine.AcmeEngine"

[[symbol]]
id = "queue-old"
gpu = "render.queue.Queue"
npu = "acme.old_queue.Queue"
until = "1.0"

[[symbol]]
id = "queue"
gpu = "render.queue.Queue"
npu = "acme.queue.AcmeQueue"
since = "2.0"

[[namespace]]
id = "render-gl"
gpu = "render.gl"
npu = "render.acme"
same = ["flush", "buffers.Ring"]
guards = ["has_gl"]

[[symbol]]
id = "gl-list"
gpu = "render.gl.GLList"
npu = "render.acme.AcmeList"

[[report]]
id = "gl-oops"
gpu = "render.gl.Oops"
note = "gone"

[[keyword]]
id = "engine-mode"
callee = "render.engine.Engine"
gpu = "gl_mode"
npu = "acme_mode"

[[dropped-keyword]]
id = "engine-debug"
callee = "render.engine.Engine"
gpu = "debug"

[[needed-keyword]]
id = "engine-size"
callee = "render.engine.Engine"
npu = "size"
always = true

[[positional]]
id = "engine-positional"
callee = "render.engine.Engine"
limit = 1
names = ["name", "depth"]

[[device]]
id = "gl-device"
gpu = "gl"
npu = "acme"
keywords = ["screen"]
callees = ["render.Screen"]
methods = ["show_on"]

[[backend]]
id = "gl-link"
gpu = "glx"
npu = "acx"
keywords = ["link"]

[[environment]]
id = "gl-env"
gpu = "GL_SCREENS"
npu = "ACME_SCREENS"

[[base-class]]
id = "base"
gpu = "render.base.Painter"
npu = "acme.base.AcmePainter"

[[leave]]
id = "stay"
gpu = "render.engine.Stats"

[[re-export]]
id = "through"
gpu = "render.engine.Size"
npu = "render.sizes.Size"

[[dotted-path]]
id = "path"
gpu = "render.engine.Engine"
npu = "acme.engine.AcmeEngine"
assigned = ["engine_cls"]
"""


def table_error(text: str) -> TableError:
    with pytest.raises(TableError) as caught:
        load_table(text, name="t.toml")
    return caught.value


def test_another_backend_needs_only_another_table() -> None:
    table = load_table(ACME, name="acme.toml").select()
    before = """
        import os
        import render
        from render import gl
        from render.base import Painter
        from render.engine import Engine, Size, Stats
        from render.gl import GLList
        from render.queue import Queue

        class Mine(Painter):
            engine_cls = "render.engine.Engine"

            def run(self, x: Painter):
                if self.kind.has_gl():
                    gl.flush()
                engine = Engine("a", 3, gl_mode=1, debug=True)
                other(gl_mode=1, screen="gl", link="glx")
                render.Screen("gl:0"), x.show_on("gl"), render.gl.flush(), render.gl.buffers.Ring()
                os.environ["GL_SCREENS"] = "1"
                return GLList(), Queue(), Stats, Size, render.gl.Oops, render.gl.unknown
        """
    after = """
        import os
        import render
        from render import gl
        from render.base import Painter
        from acme.base import AcmePainter
        from render.engine import Stats
        from acme.engine import AcmeEngine
        from render.sizes import Size
        from render.acme import AcmeList
        from acme.queue import AcmeQueue

        class Mine(AcmePainter):
            engine_cls = "acme.engine.AcmeEngine"

            def run(self, x: Painter):
                if self.kind.has_gl():
                    gl.flush()
                engine = AcmeEngine("a", depth=3, acme_mode=1)
                other(gl_mode=1, screen="acme", link="acx")
                render.Screen("acme:0"), x.show_on("acme"), render.acme.flush(), render.acme.buffers.Ring()
                os.environ["ACME_SCREENS"] = "1"
                return AcmeList(), AcmeQueue(), Stats, Size, render.gl.Oops, render.gl.unknown
        """  # noqa: E501
    check_rewrite(before, after, lambda text: translate(text, table=table).text)
    found = {
        finding.code
        for finding in translate(before.replace("\n        ", "\n"), table=table).findings
    }
    assert found == {"OP101", "OP102", "OP109", "OP110", "OP115"}


def test_names_of_other_tables_mean_nothing() -> None:
    table = load_table(ACME, name="acme.toml").select()
    check_noop(
        "import torch\ntorch.cuda.synchronize(device='cuda')\n",
        lambda text: translate(text, table=table).text,
        dedent=False,
    )


def test_ranges_pick_by_release() -> None:
    file = load_table(ACME, name="acme.toml")
    text = "from render.queue import Queue\nQueue()\n"
    assert file.newest == "2.0"
    assert file.select().target == "acme-vllm==2.0"
    old = file.select("acme-vllm==1.0")
    assert translate(text, table=old).text == "from acme.old_queue import Queue\nQueue()\n"
    assert translate(text, table=file.select("2.0")).text == (
        "from acme.queue import AcmeQueue\nAcmeQueue()\n"
    )
    assert {e.id for e in old.skipped} == {"queue"}


@pytest.mark.parametrize(
    ("target", "known", "has", "lacks"),
    [
        ("vllm-ascend==0.11.0", True, "worker-early", "worker"),
        ("vllm-ascend==0.12.0rc1", True, "dummy-run-runtime-mode", "input-batch"),
        ("vllm-ascend==0.13.0", True, "worker", "worker-early"),
        ("vllm_ascend==0.19.1rc1", True, "no-virtual-engine", "breakable-graph-wrapper"),
        ("0.27.1rc1", True, "breakable-graph-wrapper", "breakable-graph-wrapper-early"),
        ("0.26.0rc1", True, "graph-wrapper-clear-late", "graph-wrapper-clear-early"),
        ("vllm-ascend==0.23.0.post1", False, "graph-wrapper", "async-output-early"),
        ("0.19.1rc1+build.7", False, "worker", "worker-early"),
    ],
)
def test_packaged_ranges(target: str, known: bool, has: str, lacks: str) -> None:
    table = packaged().select(target)
    ids = {entry.id for entry in table.entries}
    assert table.known is known
    assert has in ids
    assert lacks not in ids


def test_packaged_table_has_no_clashes_and_aims_at_its_newest_release() -> None:
    file = packaged()
    assert find_clashes(file.entries) == ()
    assert file.select().target == "vllm-ascend==0.30.0rc2"


def test_wrong_targets() -> None:
    with pytest.raises(TableError, match="not torch"):
        packaged().select("torch==2.0")
    with pytest.raises(TableError, match="no version"):
        packaged().select("vllm-ascend==newest")


@pytest.mark.parametrize(
    ("target", "nearest"),
    [
        ("0.99.0", "vllm-ascend==0.30.0rc2;"),
        ("vllm-ascend==0.30.0", "vllm-ascend==0.30.0rc2;"),
        ("0.0.1", "vllm-ascend==0.11.0rc1;"),
        ("vllm-ascend==0.26.1", "vllm-ascend==0.26.0rc1 or vllm-ascend==0.27.1rc1;"),
        ("0.19.1rc2.dev3,vllm==0.19.1", "vllm-ascend==0.19.1rc1 or vllm-ascend==0.20.2rc1;"),
    ],
)
def test_a_release_that_the_table_does_not_know_is_refused(target: str, nearest: str) -> None:
    with pytest.raises(TableError, match=r"it knows 0\.11\.0rc1 to 0\.30\.0rc2") as caught:
        packaged().select(target)
    assert caught.value.hint
    assert caught.value.hint.startswith(f"Aim at {nearest}")


def test_a_table_of_yours_may_list_further_releases() -> None:
    extra = load_table('name = "m"\nextends = true\nreleases = ["0.31.0rc1"]\n', name="m.toml")
    merged = merge(packaged(), extra)
    assert merged.select("0.31.0rc1").known
    assert merged.newest == "0.31.0rc1"
    assert merged.select("0.11.0").known


def test_schema_errors_say_where() -> None:
    unknown = table_error('name = "x"\n\n[[symbol]]\nid = "a"\n\n[[symbol]]\nid = "b"\nnpv = "c"\n')
    assert "npv" in unknown.message
    assert "$.symbol[1]" in unknown.message
    assert unknown.line == 6
    typed = table_error('name = "x"\n[[dropped-keyword]]\nid = "a"\ncallee = 3\n')
    assert "$.dropped-keyword[0].callee" in typed.message
    assert table_error("name = \n").line == 1
    assert "id" in table_error('name = "x"\n[[symbol]]\ngpu = "a"\n').message
    assert "why" in table_error('name = "x"\n[[report]]\nid = "a"\nwhy = "no"\n').message


def test_contradictions_in_one_file() -> None:
    twice = table_error('name = "x"\n[[leave]]\nid = "a"\n[[leave]]\nid = "a"\n')
    assert "two entries" in twice.message
    assert twice.line == 5
    turned = table_error('name = "x"\n[[leave]]\nid = "a"\nsince = "2"\nuntil = "1"\n')
    assert "before it begins" in turned.message
    vague = table_error('name = "x"\n[[leave]]\nid = "a"\nsince = "soon"\n')
    assert "no version" in vague.message


def test_clashes_are_pairs_that_hold_at_once() -> None:
    clash = """
        name = "x"
        [[symbol]]
        id = "a"
        gpu = "m.A"
        npu = "n.A"
        until = "2"
        [[symbol]]
        id = "b"
        gpu = "m.A"
        npu = "n.B"
        since = "SINCE"
        """
    hit = load_table(clash.replace("SINCE", "2"), name="t").entries
    assert [(a.id, b.id) for a, b in find_clashes(hit)] == [("a", "b")]
    assert find_clashes(load_table(clash.replace("SINCE", "3"), name="t").entries) == ()


def test_a_table_extends_the_packaged_one() -> None:
    extra = load_table(
        """
        name = "mine"
        extends = "ascend"
        [[symbol]]
        id = "own"
        gpu = "torch.cuda.brand_new"
        npu = "torch.npu.brand_new"
        [[leave]]
        id = "torch-sampler"
        gpu = "a.b"
        [[symbol]]
        id = "graph-wrapper"
        gpu = "vllm.compilation.cuda_graph.CUDAGraphWrapper"
        npu = "mine.Wrapper"
        """,
        name="mine.toml",
    )
    merged = merge(packaged(), extra)
    table = merged.select()
    assert table.target == "vllm-ascend==0.30.0rc2"
    text = (
        "import torch\nfrom vllm.compilation.cuda_graph import CUDAGraphWrapper\n"
        "torch.cuda.brand_new(torch.cuda.Event, CUDAGraphWrapper)\n"
    )
    assert translate(text, table=table).text == (
        "import torch\nfrom mine import Wrapper\ntorch.npu.brand_new(torch.npu.Event, Wrapper)\n"
    )
    assert len(merged.entries) == len(packaged().entries) + 2


def test_a_table_of_its_own_replaces_the_packaged_one() -> None:
    alone = load_table('name = "x"\nextends = false\n', name="x.toml")
    assert merge(packaged(), alone) is alone
    assert alone.select().target == ""
    with pytest.raises(TableError, match="not known"):
        merge(packaged(), load_table('name = "x"\nextends = "other"\n', name="x.toml"))


def test_members_of_a_namespace_are_entries() -> None:
    space = next(e for e in packaged().entries if isinstance(e, Namespace))
    members = expand(space)
    assert {m.gpu for m in members} >= {"torch.cuda.Event", "torch.cuda.memory.MemPool"}
    assert all(m.npu == m.gpu.replace("torch.cuda", "torch.npu") for m in members)
    assert len({m.id for m in members}) == len(space.same)


def test_every_entry_says_what_it_is() -> None:
    for entry in packaged().entries:
        assert entry.kind
        assert entry.gpu or entry.npu or isinstance(entry, Positional)
        if isinstance(entry, (Symbol, Keyword)):
            assert entry.gpu
            assert entry.npu
        assert not entry.source or entry.source.startswith("https://")


@pytest.mark.parametrize(
    ("release", "module"),
    [
        ("0.11.0", "vllm_omni.worker.npu.npu_ar_model_runner"),
        ("0.12.0rc1", "vllm_omni.worker.npu.npu_ar_model_runner"),
        ("0.13.0", "vllm_omni.platforms.npu.worker.npu_ar_model_runner"),
        ("0.30.0rc2", "vllm_omni.platforms.npu.worker.npu_ar_model_runner"),
    ],
)
def test_modules_that_moved_are_followed(release: str, module: str) -> None:
    text = "from vllm_omni.worker.gpu_ar_model_runner import GPUARModelRunner\n"
    result = translate(text, table=packaged().select(release)).text
    assert result == f"from {module} import NPUARModelRunner\n"


@pytest.mark.parametrize("release", packaged().releases)
def test_every_release_has_one_answer_for_each_name(release: str) -> None:
    table = packaged().select(f"vllm-ascend=={release}")
    paths = [
        e.gpu for e in table.entries if e.kind in ("symbol", "base-class", "re-export", "leave")
    ]
    assert len(paths) == len(set(paths))
    assert find_clashes(table.entries) == ()

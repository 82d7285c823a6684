"""The demo behind `make demo`: de-identify the sample notes and show what came of it."""

import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.rule import Rule

SHOWN = Path("samples/fr/lettre_de_sortie.txt")
console = Console(highlight=False)


def innominate(*arguments: str) -> None:
    """Show a command as a user would type it, and run it."""
    console.print(f"\n[bold green]$[/] [bold]innominate {' '.join(arguments)}[/]", soft_wrap=True)
    program = str(Path(sys.executable).with_name("innominate"))
    subprocess.run([program, *arguments], check=True)


def main(folder: Path) -> None:
    """Run the demo into a folder."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("deidentified*"):
        subprocess.run(["rm", "-r", str(old)], check=True)
    output, page = folder / "deidentified", folder / "preview.html"
    innominate("deidentify", "samples", "-o", str(output), "--to", "text")
    innominate("preview", "samples", "--limit", "20", "--html", str(page))
    innominate("preview", str(SHOWN))
    console.print(Rule(style="dim"))
    console.print("De-identified notes in English, Swiss French, Swedish, Spanish and German:")
    places = (
        (output, "the notes"),
        (f"{output}.run.json", "the run record"),
        (page, "before and after: open it in a browser"),
    )
    for place, what in places:
        console.print(f"  [cyan]{place!s:<32}[/] {what}", soft_wrap=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

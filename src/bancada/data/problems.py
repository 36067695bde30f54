"""Why a file cannot become a data set, in the person's language."""

from __future__ import annotations

from typing import Any

from bancada.domain.errors import Problem
from bancada.domain.json import JSONObject
from bancada.domain.people import Language

_SENTENCES: dict[str, tuple[str, str]] = {
    "wrong_type": (
        "«{name}» não é um ficheiro .csv ou .xlsx. Carregue um desses dois tipos.",
        "“{name}” is not a .csv or .xlsx file. Upload one of those two types.",
    ),
    "not_text": (
        "«{name}» não contém texto: apesar do nome, não é um CSV.",
        "“{name}” does not hold text: in spite of its name it is not a CSV.",
    ),
    "is_workbook": (
        "«{name}» é um livro do Excel com nome de CSV. Mude a extensão para .xlsx e carregue outra vez.",
        "“{name}” is an Excel workbook with a CSV's name. Change the extension to .xlsx and upload it again.",
    ),
    "old_workbook": (
        "«{name}» está no formato antigo do Excel (.xls). Guarde-o como .xlsx e carregue outra vez.",
        "“{name}” is in the old Excel format (.xls). Save it as .xlsx and upload it again.",
    ),
    "empty": (
        "«{name}» está vazio: não há linhas para analisar.",
        "“{name}” is empty: there are no rows to analyse.",
    ),
    "only_header": (
        "«{name}» só tem o cabeçalho: não há linhas de dados por baixo.",
        "“{name}” has only a header: there are no rows of data below it.",
    ),
    "corrupt": (
        "«{name}» está danificado ou incompleto e não se consegue ler. Guarde-o outra vez e volte a carregar.",
        "“{name}” is damaged or incomplete and cannot be read. Save it again and upload the new copy.",
    ),
    "encrypted": (
        "«{name}» está protegido por palavra-passe. Retire a proteção e carregue outra vez.",
        "“{name}” is protected by a password. Remove the protection and upload it again.",
    ),
    "bomb": (
        "«{name}» ocupa {size} depois de descomprimido, mais do que o limite de {limit}.",
        "“{name}” takes {size} once decompressed, over the limit of {limit}.",
    ),
    "too_large": (
        "«{name}» tem {size}, mais do que o limite de {limit}.",
        "“{name}” has {size}, over the limit of {limit}.",
    ),
    "no_sheet": (
        "«{name}» não tem uma folha «{sheet}». Folhas que tem: {sheets}.",
        "“{name}” has no sheet “{sheet}”. Sheets it has: {sheets}.",
    ),
    "no_sheets": (
        "«{name}» é um CSV, que não tem folhas. Carregue-o sem dizer uma folha.",
        "“{name}” is a CSV, which has no sheets. Upload it without naming a sheet.",
    ),
    "empty_sheet": (
        "A folha «{sheet}» de «{name}» não tem linhas de dados.",
        "Sheet “{sheet}” of “{name}” has no rows of data.",
    ),
    "too_many_columns": (
        "«{name}» tem {columns} colunas; o limite é {limit}.",
        "“{name}” has {columns} columns; the limit is {limit}.",
    ),
    "too_many_rows": (
        "«{name}» tem mais de {limit} linhas, que é o limite.",
        "“{name}” has more than {limit} rows, which is the limit.",
    ),
    "line_too_long": (
        "A linha {line} de «{name}» é comprida demais (mais de {limit} caracteres): o ficheiro não parece ser um CSV.",
        "Line {line} of “{name}” is too long (over {limit} characters): the file does not look like a CSV.",
    ),
    "too_slow": (
        "«{name}» demorou mais de {seconds} segundos a processar e foi interrompido. Divida-o em partes menores.",
        "“{name}” took more than {seconds} seconds to process and was stopped. Split it into smaller parts.",
    ),
    "too_heavy": (
        "«{name}» precisa de mais memória ou disco do que o permitido. Divida-o em partes menores.",
        "“{name}” needs more memory or disk than allowed. Split it into smaller parts.",
    ),
}


class DataProblem(Problem):
    """An upload that was refused; `detail` is Portuguese until a language is asked for."""

    title = "The file cannot be used"

    def __init__(self, code: str, **values: Any) -> None:
        self.code = code
        self.values = values
        self.status = 413 if code in ("too_large", "bomb") else 400
        self.detail = self.sentence("pt")
        super().__init__(self.detail)

    def sentence(self, language: Language) -> str:
        """Say it in `pt` or `en`."""
        portuguese, english = _SENTENCES[self.code]
        return (english if language == "en" else portuguese).format(**self.values)

    def as_json(self) -> JSONObject:
        """How the worker hands it to the server."""
        return {"code": self.code, "values": self.values}

    @staticmethod
    def of(shape: JSONObject) -> DataProblem:
        return DataProblem(shape["code"], **shape["values"])


def size_text(bytes_: int) -> str:
    """A size as people write it: `12 MB`."""
    amount = float(bytes_)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GB"

"""The demo's office: documents, people and sales, the same every time.

`python -m bancada.packs.workspace.demo FOLDER` writes them as the CSV files that an
organisation would bring, to start from.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import date
from pathlib import Path
from typing import Any

from bancada.packs.workspace.contents import Contents, Document, Employee, Sale

ACTIVE_USERS = 42
"""What `getSystemStatus` says in the demo, marked as such."""

SEED = 2024
REGIONS = {"North": 1.25, "Centre": 1.0, "South": 0.8, "Export": 1.6}
PRODUCTS = {"Bumpers": 412.0, "Mirror caps": 96.5, "Door trims": 178.0}
SEASON = (0.92, 0.94, 1.04, 1.0, 1.02, 1.05, 0.96, 0.78, 1.06, 1.1, 1.14, 1.0)


def demo_contents() -> Contents:
    return Contents(documents=DOCUMENTS, employees=EMPLOYEES, sales=_sales())


def _sales() -> tuple[Sale, ...]:
    """Two years by month, region and product: growth, a season, and seeded noise."""
    chance = random.Random(SEED)  # noqa: S311 - repeatable, not secret
    rows = []
    for year in (2023, 2024):
        for month, season in enumerate(SEASON, start=1):
            for region, weight in REGIONS.items():
                for product, price in PRODUCTS.items():
                    growth = 1.0 if year == 2023 else 1.08
                    level = 42_000 / price * weight * season * growth
                    units = round(level * chance.uniform(0.93, 1.07))
                    rows.append(
                        Sale(
                            month=f"{year}-{month:02}",
                            region=region,
                            product=product,
                            units=units,
                            revenue=round(units * price, 2),
                        )
                    )
    return tuple(rows)


def _document(
    number: int,
    title: str,
    category: str,
    format: str,
    size_mb: float,
    author: str,
    filed_on: str,
    text: str,
    keywords: str,
) -> Document:
    return Document(
        id=f"DOC-{number:03}",
        title=title,
        category=category,
        format=format,
        size_mb=size_mb,
        author=author,
        filed_on=date.fromisoformat(filed_on),
        text=text,
        keywords=keywords,
    )


DOCUMENTS: tuple[Document, ...] = (
    _document(
        1,
        "Q4 Financial Report 2024",
        "Financial",
        "pdf",
        2.4,
        "Clara Nunes",
        "2024-12-30",
        "Financial results of Q4 2024: revenue, margins and cash at the end of the year, with the "
        "variances against the budget.",
        "financeiro relatório quarto trimestre resultados",
    ),
    _document(
        2,
        "Q3 Sales Report",
        "Financial",
        "xlsx",
        1.5,
        "Hugo Pires",
        "2024-10-18",
        "Sales of the third quarter by region and product. Filed in Q4 2024 with the financial "
        "forecast for Q4.",
        "financeiro vendas relatório trimestre",
    ),
    _document(
        3,
        "Year-End Cash Flow Statement",
        "Financial",
        "pdf",
        0.9,
        "Clara Nunes",
        "2024-12-19",
        "Cash from operations, investments and financing until the close of the year. The financial "
        "position is stated month by month for Q4, including the loan for the second painting "
        "line, the payments of the suppliers' programme and the taxes due in January.",
        "financeiro tesouraria fluxo de caixa",
    ),
    _document(
        4,
        "Annual Budget 2025",
        "Financial",
        "xlsx",
        3.1,
        "Clara Nunes",
        "2025-01-15",
        "The approved budget by cost centre for 2025, with investments and hiring.",
        "orçamento anual investimento",
    ),
    _document(
        5,
        "Expense Policy",
        "Financial",
        "pdf",
        0.4,
        "Teresa Lopes",
        "2024-02-05",
        "What can be claimed, the daily limits for travel, and who approves an expense.",
        "despesas viagens política reembolso",
    ),
    _document(
        6,
        "Supplier Payment Terms",
        "Financial",
        "docx",
        0.3,
        "Hugo Pires",
        "2024-05-21",
        "Payment terms agreed with paint, plastics and transport suppliers.",
        "fornecedores pagamentos prazos",
    ),
    _document(
        7,
        "Manual de Acolhimento",
        "HR",
        "pdf",
        5.2,
        "Teresa Lopes",
        "2024-09-02",
        "O primeiro mês na empresa: equipa, horários, segurança na linha de pintura e a quem "
        "perguntar.",
        "onboarding welcome new employees novos colaboradores",
    ),
    _document(
        8,
        "Employee Handbook",
        "HR",
        "pdf",
        2.8,
        "Teresa Lopes",
        "2024-01-10",
        "Working hours, holidays, remote work, training and conduct.",
        "manual do colaborador férias horários regras",
    ),
    _document(
        9,
        "Holiday Calendar 2025",
        "HR",
        "xlsx",
        0.1,
        "Teresa Lopes",
        "2024-11-28",
        "Public holidays, the August stop and the days each shift must cover.",
        "férias feriados calendário",
    ),
    _document(
        10,
        "Training Plan 2025",
        "HR",
        "docx",
        0.6,
        "Nuno Reis",
        "2024-12-11",
        "Courses by role: safety, spray technique, statistics for quality and team leading.",
        "plano de formação cursos segurança",
    ),
    _document(
        11,
        "Plano de Manutenção 2025",
        "Operations",
        "xlsx",
        1.2,
        "John Doe",
        "2025-01-08",
        "Paragens planeadas das cabinas, robôs e fornos, com peças e equipas por semana.",
        "maintenance plan booths robots ovens",
    ),
    _document(
        12,
        "Painting Line Safety Procedure",
        "Operations",
        "pdf",
        1.8,
        "Sofia Almeida",
        "2024-06-14",
        "Lockout, ventilation, solvents and fire: what must be checked before a booth is entered.",
        "segurança procedimento linha de pintura incêndio",
    ),
    _document(
        13,
        "Logistics Contract 2024",
        "Operations",
        "pdf",
        0.8,
        "Sofia Almeida",
        "2024-03-01",
        "Routes, prices and service levels with the carriers for the Palmela and Vigo customers.",
        "contrato logística transporte",
    ),
    _document(
        14,
        "Shift Handover Checklist",
        "Operations",
        "docx",
        0.1,
        "John Doe",
        "2024-04-22",
        "What one shift tells the next: stock of paint, open defects, machines to watch.",
        "passagem de turno lista de verificação",
    ),
    _document(
        15,
        "Energy Audit",
        "Operations",
        "pdf",
        4.4,
        "Ricardo Matos",
        "2024-07-30",
        "Where the ovens and compressors lose energy, and what each measure would save a year.",
        "auditoria energética fornos compressores poupança",
    ),
    _document(
        16,
        "Information Security Policy",
        "IT",
        "pdf",
        0.7,
        "Ricardo Matos",
        "2024-05-06",
        "Passwords, devices, access reviews and what to do when something looks wrong.",
        "segurança da informação política palavras-passe",
    ),
    _document(
        17,
        "Backup and Recovery Plan",
        "IT",
        "docx",
        0.5,
        "Ricardo Matos",
        "2024-08-19",
        "What is copied, how often, where it is kept and how a restore is rehearsed.",
        "cópias de segurança recuperação plano",
    ),
    _document(
        18,
        "Network Diagram",
        "IT",
        "pdf",
        1.1,
        "Inês Carvalho",
        "2024-10-03",
        "Offices, the painting line's own network and the links between them.",
        "rede diagrama",
    ),
    _document(
        19,
        "Customer Satisfaction Survey 2024",
        "Sales",
        "pdf",
        1.6,
        "Beatriz Costa",
        "2024-11-12",
        "What eleven customers say of quality, delivery and answers to complaints.",
        "inquérito satisfação clientes",
    ),
    _document(
        20,
        "Price List 2025",
        "Sales",
        "xlsx",
        0.2,
        "Beatriz Costa",
        "2024-12-16",
        "Prices of bumpers, mirror caps and door trims by volume.",
        "tabela de preços",
    ),
    _document(
        21,
        "Data Protection Notice",
        "Legal",
        "pdf",
        0.3,
        "Miguel Torres",
        "2024-01-25",
        "Which personal data is kept, why, for how long, and whom to ask.",
        "proteção de dados privacidade rgpd gdpr",
    ),
    _document(
        22,
        "Lease Agreement Hall 2",
        "Legal",
        "pdf",
        2.2,
        "Miguel Torres",
        "2023-09-18",
        "The lease of the second hall until 2028, with its conditions for ending early.",
        "contrato de arrendamento",
    ),
)


def _employee(
    number: int, name: str, title: str, role: str, department: str, location: str, hired_on: str
) -> Employee:
    return Employee(
        id=f"E-{number:03}",
        name=name,
        title=title,
        role=role,
        department=department,
        location=location,
        hired_on=date.fromisoformat(hired_on),
    )


EMPLOYEES: tuple[Employee, ...] = (
    _employee(
        1, "John Doe", "Operations Manager", "manager", "Operations", "Setúbal", "2021-08-16"
    ),
    _employee(
        2, "Sofia Almeida", "Logistics Manager", "manager", "Operations", "Setúbal", "2022-03-07"
    ),
    _employee(3, "Clara Nunes", "Finance Director", "director", "Finance", "Lisboa", "2017-02-01"),
    _employee(4, "Hugo Pires", "Financial Analyst", "analyst", "Finance", "Lisboa", "2020-10-12"),
    _employee(5, "Teresa Lopes", "HR Manager", "manager", "HR", "Lisboa", "2018-05-14"),
    _employee(6, "Nuno Reis", "Training Specialist", "specialist", "HR", "Setúbal", "2022-09-19"),
    _employee(7, "Ricardo Matos", "IT Manager", "manager", "IT", "Lisboa", "2019-01-21"),
    _employee(8, "Inês Carvalho", "Network Engineer", "engineer", "IT", "Lisboa", "2021-06-01"),
    _employee(9, "Beatriz Costa", "Sales Manager", "manager", "Sales", "Porto", "2019-11-04"),
    _employee(10, "Paulo Serra", "Account Executive", "executive", "Sales", "Porto", "2023-02-13"),
    _employee(11, "Miguel Torres", "Legal Counsel", "counsel", "Legal", "Lisboa", "2020-04-06"),
    _employee(
        12, "Julia Ramos", "Line Operator", "operator", "Operations", "Setúbal", "2019-03-11"
    ),
    _employee(
        13, "Carlos Dias", "Line Operator", "operator", "Operations", "Setúbal", "2020-02-17"
    ),
    _employee(
        14, "Margareta Silva", "Line Operator", "operator", "Operations", "Setúbal", "2022-01-10"
    ),
    _employee(
        15,
        "Pedro Antunes",
        "Maintenance Technician",
        "technician",
        "Operations",
        "Setúbal",
        "2018-10-22",
    ),
    _employee(16, "Rita Fonseca", "Quality Manager", "manager", "Quality", "Setúbal", "2020-07-13"),
    _employee(
        17, "Tiago Moura", "Quality Engineer", "engineer", "Quality", "Setúbal", "2023-05-08"
    ),
    _employee(
        18, "Vera Pinto", "Quality Technician", "technician", "Quality", "Setúbal", "2021-11-15"
    ),
    _employee(
        19, "André Gomes", "Process Engineer", "engineer", "Operations", "Setúbal", "2023-09-04"
    ),
    _employee(20, "Lúcia Barros", "Accountant", "analyst", "Finance", "Lisboa", "2024-03-18"),
    _employee(21, "Daniel Rocha", "Account Executive", "executive", "Sales", "Vigo", "2024-06-24"),
    _employee(22, "Emma Clarke", "Data Analyst", "analyst", "IT", "Lisboa", "2024-10-07"),
    _employee(
        23, "Filipe Sousa", "Robot Technician", "technician", "Operations", "Setúbal", "2024-11-18"
    ),
    _employee(
        24, "Marta Vieira", "Quality Engineer", "engineer", "Quality", "Setúbal", "2025-01-06"
    ),
)


def write_files(folder: Path) -> None:
    """The demo as the three CSV files that `[packs.workspace] data` reads."""
    contents = demo_contents()
    folder.mkdir(parents=True, exist_ok=True)
    parts: dict[str, Sequence[Any]] = {
        "documents": contents.documents,
        "employees": contents.employees,
        "sales": contents.sales,
    }
    for name, rows in parts.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(rows[0])])
            writer.writeheader()
            writer.writerows(asdict(row) for row in rows)


if __name__ == "__main__":
    write_files(Path(sys.argv[1]))

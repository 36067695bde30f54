"""The demo: a made-up water-treatment plant, the same one each time.

Three sites with their buildings; systems located in buildings; equipment that is part of a
system or of other equipment; sensors that monitor it; documents that describe it; and categories
along location, system and context. `write_plant` writes it as the files an import reads.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import TypeAlias

from bancada.packs.graph.containment import ALWAYS
from bancada.packs.graph.importer import Source

NAME = "Águas do Vale"
SEED = 11
BIOFILTERS = 12

Properties: TypeAlias = dict[str, object]

SITES = (
    ("S-VALE", "Estação de Tratamento de Água do Vale", "Vale Water Treatment Plant"),
    ("S-RIB", "Estação Elevatória da Ribeira", "Ribeira Pumping Station"),
    ("S-MON", "Reservatório do Monte", "Monte Reservoir"),
)

BUILDINGS = (
    ("B-FIL", "Edifício de Filtração", "Filtration Building", "S-VALE", "Nave de filtração"),
    (
        "B-PRE",
        "Edifício de Pré-tratamento",
        "Pretreatment Building",
        "S-VALE",
        "Nave de decantação",
    ),
    ("B-OZO", "Edifício de Ozonização", "Ozone Building", "S-VALE", "Sala de ozono"),
    ("B-QUI", "Edifício Químico", "Chemical Building", "S-VALE", "Sala de reagentes"),
    ("B-LAM", "Edifício de Lamas", "Sludge Building", "S-VALE", "Linha de lamas"),
    ("B-COM", "Edifício de Comando", "Control Building", "S-VALE", "Sala de comando"),
    ("B-BOM", "Casa das Bombas", "Pump House", "S-RIB", "Sala de bombas"),
    ("B-TRA", "Posto de Transformação", "Substation", "S-RIB", "Sala elétrica"),
    ("B-VAL", "Câmara de Válvulas", "Valve Chamber", "S-MON", "Câmara enterrada"),
    ("B-CLO", "Casa de Cloragem", "Chlorination House", "S-MON", "Sala de cloro"),
)

SYSTEMS = (
    ("SYS-BF", "Sistema de Biofiltração", "Biofiltration System", "B-FIL", "Biofiltração"),
    ("SYS-LAV", "Sistema de Lavagem de Filtros", "Backwash System", "B-FIL", "Lavagem"),
    ("SYS-CAP", "Sistema de Captação", "Intake System", "B-BOM", "Captação"),
    ("SYS-ELE", "Sistema de Elevação", "Lifting System", "B-BOM", "Bombagem"),
    ("SYS-COA", "Sistema de Coagulação", "Coagulation System", "B-PRE", "Coagulação"),
    ("SYS-DEC", "Sistema de Decantação", "Clarification System", "B-PRE", "Decantação"),
    ("SYS-OZO", "Sistema de Ozonização", "Ozone System", "B-OZO", "Oxidação"),
    ("SYS-DOS", "Sistema de Dosagem Química", "Chemical Dosing System", "B-QUI", "Dosagem"),
    ("SYS-DES", "Sistema de Desinfeção", "Disinfection System", "B-CLO", "Cloragem"),
    ("SYS-LAM", "Sistema de Desidratação de Lamas", "Sludge System", "B-LAM", "Lamas"),
    ("SYS-DIS", "Sistema de Distribuição", "Distribution System", "B-VAL", "Distribuição"),
    ("SYS-ENE", "Sistema de Energia", "Power System", "B-TRA", "Alimentação elétrica"),
    ("SYS-AR", "Sistema de Ar Comprimido", "Compressed Air System", "B-FIL", "Ar comprimido"),
    ("SYS-INS", "Sistema de Instrumentação", "Instrumentation System", "B-COM", "Medição"),
)

UNITS = {
    "SYS-LAV": ("Tank", "Tanque de lavagem", "Backwash tank", 6),
    "SYS-CAP": ("Screen", "Grade de captação", "Intake screen", 5),
    "SYS-ELE": ("PumpSet", "Grupo de elevação", "Lifting set", 9),
    "SYS-COA": ("Mixer", "Câmara de mistura", "Mixing chamber", 7),
    "SYS-DEC": ("Clarifier", "Decantador", "Clarifier", 10),
    "SYS-OZO": ("OzoneGenerator", "Gerador de ozono", "Ozone generator", 6),
    "SYS-DOS": ("Tank", "Tanque de reagente", "Reagent tank", 12),
    "SYS-DES": ("Chlorinator", "Clorador", "Chlorinator", 6),
    "SYS-LAM": ("Press", "Prensa de lamas", "Sludge press", 4),
    "SYS-DIS": ("Tank", "Célula de reserva", "Reserve cell", 8),
    "SYS-ENE": ("Panel", "Quadro elétrico", "Switchboard", 10),
    "SYS-AR": ("Compressor", "Compressor de ar", "Air compressor", 4),
    "SYS-INS": ("Panel", "Armário de instrumentação", "Instrument cabinet", 8),
}
"""The main equipment of each system: kind, name, English name, how many."""

CATEGORIES: dict[str, dict[str, tuple[str, ...]]] = {
    "location": {
        "Zona de Tratamento": tuple(b[4] for b in BUILDINGS if b[3] == "S-VALE"),
        "Zona de Elevação": tuple(b[4] for b in BUILDINGS if b[3] == "S-RIB"),
        "Zona de Armazenamento": tuple(b[4] for b in BUILDINGS if b[3] == "S-MON"),
    },
    "system": {
        "Processo": (
            "Captação",
            "Coagulação",
            "Decantação",
            "Biofiltração",
            "Lavagem",
            "Oxidação",
            "Cloragem",
            "Lamas",
        ),
        "Transporte": ("Bombagem", "Distribuição"),
        "Utilidades": ("Alimentação elétrica", "Ar comprimido", "Dosagem"),
        "Automação": ("Medição", "Atuação"),
    },
    "context": {
        "Operação": ("Serviço contínuo", "Reserva"),
        "Manutenção": ("Manutenção preventiva", "Manutenção condicionada"),
        "Segurança": ("Atmosfera explosiva", "Espaço confinado", "Produto químico"),
        "Qualidade da água": ("Ponto de controlo", "Amostragem"),
    },
}

WORDS = (
    ("Asset", "pt", "ativo", "ativos"),
    ("Asset", "pt", "activo", "activos"),
    ("Asset", "pt", "equipamento", "equipamentos"),
    ("Asset", "en", "asset", "assets"),
    ("Asset", "en", "equipment", "equipment"),
    ("Pump", "pt", "bomba", "bombas"),
    ("Pump", "en", "pump", "pumps"),
    ("Valve", "pt", "válvula", "válvulas"),
    ("Valve", "en", "valve", "valves"),
    ("Sensor", "pt", "sensor", "sensores"),
    ("Sensor", "pt", "instrumento", "instrumentos"),
    ("Sensor", "en", "sensor", "sensors"),
    ("Biofilter", "pt", "biofiltro", "biofiltros"),
    ("Biofilter", "en", "biofilter", "biofilters"),
    ("Tank", "pt", "tanque", "tanques"),
    ("Tank", "en", "tank", "tanks"),
    ("Clarifier", "pt", "decantador", "decantadores"),
    ("Clarifier", "en", "clarifier", "clarifiers"),
    ("Compressor", "pt", "compressor", "compressores"),
    ("Compressor", "en", "compressor", "compressors"),
    ("OzoneGenerator", "pt", "gerador de ozono", "geradores de ozono"),
    ("OzoneGenerator", "en", "ozone generator", "ozone generators"),
    ("Chlorinator", "pt", "clorador", "cloradores"),
    ("Chlorinator", "en", "chlorinator", "chlorinators"),
    ("Panel", "pt", "quadro", "quadros"),
    ("Panel", "pt", "armário", "armários"),
    ("Panel", "en", "panel", "panels"),
    ("Document", "pt", "documento", "documentos"),
    ("Document", "en", "document", "documents"),
    ("Building", "pt", "edifício", "edifícios"),
    ("Building", "en", "building", "buildings"),
    ("System", "pt", "sistema", "sistemas"),
    ("System", "en", "system", "systems"),
    ("Site", "pt", "local", "locais"),
    ("Site", "pt", "instalação", "instalações"),
    ("Site", "en", "site", "sites"),
    ("Category", "pt", "categoria", "categorias"),
    ("Category", "en", "category", "categories"),
    ("location", "pt", "localização", "localizações"),
    ("location", "pt", "zona", "zonas"),
    ("location", "en", "location", "locations"),
    ("system", "pt", "sistema", "sistemas"),
    ("system", "en", "system", "systems"),
    ("context", "pt", "contexto", "contextos"),
    ("context", "en", "context", "contexts"),
)
"""What people call the labels, kinds and dimensions; the first of a language is how it is told."""

PUMPS = (
    ("Bomba de lavagem", "Backwash pump"),
    ("Bomba de recirculação", "Recirculation pump"),
    ("Bomba de dosagem", "Dosing pump"),
    ("Bomba de drenagem", "Drain pump"),
)
VALVES = (
    ("Válvula de admissão", "Inlet valve"),
    ("Válvula de saída", "Outlet valve"),
    ("Válvula de lavagem", "Backwash valve"),
    ("Válvula de purga", "Drain valve"),
    ("Válvula de ar", "Air valve"),
    ("Válvula de retenção", "Check valve"),
    ("Válvula reguladora", "Control valve"),
)
SENSORS = (
    ("Sensor de caudal", "Flow sensor", "m3/h"),
    ("Sensor de pressão", "Pressure sensor", "bar"),
    ("Sensor de turvação", "Turbidity sensor", "NTU"),
    ("Sensor de oxigénio dissolvido", "Dissolved oxygen sensor", "mg/L"),
    ("Sensor de nível", "Level sensor", "m"),
    ("Sensor de pH", "pH sensor", "pH"),
    ("Sensor de temperatura", "Temperature sensor", "°C"),
)
MACHINE_SENSORS = (
    ("Sensor de vibração", "Vibration sensor", "mm/s"),
    ("Sensor de temperatura dos rolamentos", "Bearing temperature sensor", "°C"),
)
DOCUMENTS = (
    ("Manual", "Manual de operação"),
    ("Procedure", "Procedimento de manutenção"),
    ("Drawing", "Desenho de implantação"),
    ("Certificate", "Certificado de calibração"),
    ("Report", "Relatório de inspeção"),
)
MAKERS = ("Hidrovale", "Aquatec", "Norbomba", "Válvulas do Sul", "Instrumenta")
STATES = ("em serviço", "em serviço", "em serviço", "em reserva", "em manutenção")


@dataclass
class Plant:
    """Nodes and edges as they are drawn up."""

    random: Random
    nodes: list[Properties] = field(default_factory=list)
    edges: list[tuple[str, str, str]] = field(default_factory=list)
    equipment: list[str] = field(default_factory=list)

    def node(self, id: str, label: str, name: str, **properties: object) -> str:
        self.nodes.append({"id": id, "label": label, "name": name, **properties})
        return id

    def edge(self, source: str, type: str, target: str) -> None:
        self.edges.append((source, target, type))

    def asset(
        self,
        id: str,
        kind: str,
        names: tuple[str, str],
        *,
        part_of: str,
        categories: Sequence[str],
        **properties: object,
    ) -> str:
        """One piece of equipment, filed under its place, its system and one or two contexts."""
        installed = date(2009, 1, 1) + timedelta(days=self.random.randrange(6000))
        self.node(
            id,
            "Asset",
            names[0],
            kind=kind,
            aliases=names[1],
            manufacturer=self.random.choice(MAKERS),
            status=self.random.choice(STATES),
            criticality=self.random.randint(1, 5),
            installed=installed.isoformat(),
            **properties,
        )
        self.equipment.append(id)
        self.edge(id, "PART_OF", part_of)
        contexts = [name for names in CATEGORIES["context"].values() for name in names]
        for category in (*categories, *self.random.sample(contexts, self.random.randint(1, 2))):
            self.edge(id, "IN_CATEGORY", category_id(category))
        return id


def category_id(name: str) -> str:
    """Categories are told apart by name: no two are called the same."""
    return f"CAT-{_category_numbers()[name]:02d}"


def _category_numbers() -> dict[str, int]:
    names = [
        name
        for roots in CATEGORIES.values()
        for root, below in roots.items()
        for name in (root, *below)
    ]
    return {name: number for number, name in enumerate(names, start=1)}


def draw_plant(seed: int = SEED) -> Plant:
    """The whole plant."""
    plant = Plant(Random(seed))  # noqa: S311 (a demo, not a secret)
    _categories(plant)
    for id, name, english in SITES:
        plant.node(id, "Site", name, aliases=english)
    for id, name, english, site, _ in BUILDINGS:
        plant.node(id, "Building", name, aliases=english, floors=plant.random.randint(1, 4))
        plant.edge(id, "LOCATED_IN", site)
    for id, name, english, building, category in SYSTEMS:
        plant.node(id, "System", name, aliases=english)
        plant.edge(id, "LOCATED_IN", building)
        plant.edge(id, "IN_CATEGORY", category_id(category))
    _biofilters(plant)
    _units(plant)
    _documents(plant)
    return plant


def _categories(plant: Plant) -> None:
    for dimension, roots in CATEGORIES.items():
        for root, below in roots.items():
            plant.node(category_id(root), "Category", root, dimension=dimension)
            for name in below:
                plant.node(category_id(name), "Category", name, dimension=dimension)
                plant.edge(category_id(name), "SUBCATEGORY_OF", category_id(root))


def _biofilters(plant: Plant) -> None:
    before = None
    for number in range(1, BIOFILTERS + 1):
        id = plant.asset(
            f"BF-{number:02d}",
            "Biofilter",
            (f"Biofilter {number}", f"Biofiltro {number}"),
            part_of="SYS-BF",
            categories=("Nave de filtração", "Biofiltração"),
        )
        plant.edge(id, "LOCATED_IN", "B-FIL")
        _fit_out(plant, id, "Nave de filtração", "Biofiltração", generous=True)
        if before is not None:
            plant.edge(before, "FEEDS", id)
        before = id


def _units(plant: Plant) -> None:
    places = {building: place for building, _, _, _, place in BUILDINGS}
    for system, _, _, building, category in SYSTEMS:
        if system not in UNITS:
            continue
        kind, name, english, count = UNITS[system]
        before = None
        for number in range(1, count + 1):
            id = plant.asset(
                f"{system.removeprefix('SYS-')}-{number:02d}",
                kind,
                (f"{name} {number}", f"{english} {number}"),
                part_of=system,
                categories=(places[building], category),
            )
            plant.edge(id, "LOCATED_IN", building)
            _fit_out(plant, id, places[building], category, generous=kind != "Panel")
            if before is not None:
                plant.edge(before, "FEEDS", id)
            before = id


def _fit_out(plant: Plant, unit: str, place: str, category: str, *, generous: bool) -> None:
    """Pumps with their own sensors, valves and instruments of one unit."""
    draw = plant.random
    pumps = []
    for number in range(1, (draw.randint(2, 4) if generous else 1) + 1):
        pump = plant.asset(
            f"{unit}-P{number:02d}",
            "Pump",
            PUMPS[(number - 1) % len(PUMPS)],
            part_of=unit,
            categories=(place, category),
            power_kw=draw.choice((1.5, 4.0, 7.5, 11.0, 22.0, 37.0)),
        )
        pumps.append(pump)
        plant.edge(pump, "FEEDS", unit)
        for sensor, names in enumerate(MACHINE_SENSORS[: draw.randint(0, 2)], start=1):
            id = plant.asset(
                f"{pump}-S{sensor:02d}",
                "Sensor",
                names[:2],
                part_of=pump,
                categories=(place, "Medição"),
                unit=names[2],
            )
            plant.edge(id, "MONITORS", pump)
    for number in range(1, (draw.randint(6, 12) if generous else 2) + 1):
        valve = plant.asset(
            f"{unit}-V{number:02d}",
            "Valve",
            VALVES[(number - 1) % len(VALVES)],
            part_of=unit,
            categories=(place, "Atuação"),
            diameter_mm=draw.choice((50, 80, 100, 150, 250, 400)),
        )
        plant.edge(valve, "CONNECTED_TO", draw.choice((unit, *pumps)))
    for number in range(1, draw.randint(6, 12) + 1):
        portuguese, english, measured = SENSORS[(number - 1) % len(SENSORS)]
        id = plant.asset(
            f"{unit}-I{number:02d}",
            "Sensor",
            (portuguese, english),
            part_of=unit,
            categories=(place, "Medição"),
            unit=measured,
        )
        plant.edge(id, "MONITORS", draw.choice((unit, unit, *pumps)))


def _documents(plant: Plant) -> None:
    draw = plant.random
    for number in range(1, 601):
        kind, title = draw.choice(DOCUMENTS)
        id = plant.node(
            f"DOC-{number:04d}",
            "Document",
            f"{title} {number:04d}",
            kind=kind,
            revision=draw.choice("ABCDE"),
            issued=(date(2015, 1, 1) + timedelta(days=draw.randrange(4000))).isoformat(),
        )
        for asset in draw.sample(plant.equipment, draw.randint(1, 4)):
            plant.edge(id, "DESCRIBES", asset)
    for system, *_ in SYSTEMS:
        plant.edge(f"DOC-{draw.randint(1, 600):04d}", "DESCRIBES", system)


def write_plant(folder: Path, seed: int = SEED) -> Source:
    """Write `nodes.csv`, `edges.csv` and `words.csv`; returns what to import."""
    plant = draw_plant(seed)
    nodes, edges, words = (folder / f"{name}.csv" for name in ("nodes", "edges", "words"))
    columns = list(dict.fromkeys(column for node in plant.nodes for column in node))
    with nodes.open("w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, columns)
        writer.writeheader()
        writer.writerows(plant.nodes)
    with edges.open("w", newline="", encoding="utf-8") as target:
        lines = csv.writer(target)
        lines.writerow(("source", "target", "type"))
        lines.writerows(plant.edges)
    with words.open("w", newline="", encoding="utf-8") as target:
        lines = csv.writer(target)
        lines.writerow(("word", "language", "singular", "plural"))
        lines.writerows(WORDS)
    return Source(nodes=nodes, edges=edges, words=words, name=NAME, containment=ALWAYS, demo=True)

"""Files that people might upload, and what is in them."""

from __future__ import annotations

VENDAS = """\
Data da Venda;Cliente;Produto;Região;Quantidade;Preço Unitário;Valor;Pago
02/01/2026;Casa do Pão;Mesa;Norte;2;120,50;241,00;sim
15/01/2026;Móveis Sá;Cadeira;Sul;10;35,25;352,50;não
20/01/2026;Casa do Pão;Cadeira;Norte;4;35,25;141,00;sim
03/02/2026;Álvaro Lda;Mesa;Centro;1;120,50;120,50;sim
14/02/2026;Móveis Sá;Armário;Sul;3;410,00;1.230,00;não
28/02/2026;Álvaro Lda;Cadeira;Norte;6;35,25;211,50;sim
05/03/2026;Casa do Pão;Armário;Centro;1;410,00;410,00;
18/03/2026;Móveis Sá;Mesa;Norte;2;120,50;241,00;sim
"""
"""A sales file of a Portuguese spreadsheet: decimal comma, days first, accents in headings."""

ORDERS = """\
order_id,orderDate,customer,region,status,unit_price,quantity,amount
1,2025-12-03,Acme,North,paid,10.5,300,3150
2,2026-01-09,Beta,South,open,20,1,20
3,2026-02-11,Acme,North,paid,10.5,10,105
4,2026-02-12,Gamma,East,cancelled,7.25,4,29
5,2026-03-01,Beta,North,paid,20,2,40
6,2026-03-15,Acme,South,open,7.25,,
"""

ESTRANHO = """\
order,group,a "quoted" name,total (€),select,a,it's; DROP TABLE x --
x1,g1,foo,10.5,1,5,1
x2,g2,bar,20,2,6,2
x3,g1,foo,5,3,7,3
"""
"""Headings that no database would like."""

PRODUCAO = "turno,defeitos,observações\nmanhã,3,\ntarde,5,avaria\nnoite,4,\n"

FABRICO = """\
Data;Hora;Operador;Linha;Conta;Peças;Refugo %;Retrabalhada
02/03/2026;06:10;Julia;L1;Norte;100;2;sim
03/03/2026;06:50;Carlos;L2;Norte;80;4;não
04/03/2026;14:05;Inês;L1;Sul;120;6;não
09/03/2026;14:40;Julia;L3;Sul;60;8;
20/04/2026;22:15;Carlos;L1;Norte;40;10;sim
"""
"""A log of a shop floor whose headings are also words of questions: `Linha`, `Conta`."""

ANOS = "Cliente;Faturação;Ano\nA;100;2024\nA;150;2025\nB;70;2025\nB;30;2026\n"
VIAGENS = "De;Para;Total;Nota\nBraga;Lisboa;10;(1,5)\nPorto;Lisboa;20;boa\nPorto;Faro;30;má\n"
SALES = """\
Region,Product,Units,Unit Price,Revenue,Discount %,Returned
North,Widget,1,10,10,0,yes
North,Gizmo,2,15,30,5,no
South,Gizmo,4,15,60,,no
"""

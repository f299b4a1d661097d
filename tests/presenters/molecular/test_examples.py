"""The molecules that the pages of the groups name really hold the group."""

from __future__ import annotations

import pytest
from rdkit import Chem

from bot.locales import words
from engine.molecular.cards import BOX, Group
from tests.support.games.molecular import kekule

SMILES: dict[str, str] = {
    "ethanol": "CCO",
    "glycerol": "OCC(O)CO",
    "cholesterol": "CC(C)CCCC(C)C1CCC2C1(CCC3C2CC=C4C3(CCC(C4)O)C)C",
    "diethyl ether": "CCOCC",
    "anisole": "COc1ccccc1",
    "tetrahydrofuran": "C1CCOC1",
    "formaldehyde": "C=O",
    "vanillin": "COc1cc(C=O)ccc1O",
    "citral": "CC(C)=CCCC(C)=CC=O",
    "acetone": "CC(C)=O",
    "camphor": "CC1(C)C2CCC1(C)C(=O)C2",
    "testosterone": "CC12CCC3C(CCC4=CC(=O)CCC34C)C1CCC2O",
    "vinegar": "CC(=O)O",
    "aspirin": "CC(=O)Oc1ccccc1C(=O)O",
    "citric acid": "OC(=O)CC(O)(CC(=O)O)C(=O)O",
    "ethyl acetate": "CCOC(C)=O",
    "fats": "CCCCCC(=O)OCC(OC(=O)CCCCC)COC(=O)CCCCC",
    "the smell of bananas": "CC(C)CCOC(C)=O",
    "paracetamol": "CC(=O)Nc1ccc(O)cc1",
    "nylon": "CCCCCC(=O)NCCCCCCNC(=O)CCCCC",
    "every protein": "NCC(=O)NC(C)C(=O)O",
    "amphetamine": "CC(N)Cc1ccccc1",
    "dopamine": "NCCc1ccc(O)c(O)c1",
    "lysine": "NCCCCC(N)C(=O)O",
    "adrenaline": "CNCC(O)c1ccc(O)c(O)c1",
    "ephedrine": "CNC(C)C(O)c1ccccc1",
    "piperidine": "C1CCNCC1",
    "triethylamine": "CCN(CC)CC",
    "nicotine": "CN1CCCC1c1cccnc1",
    "cocaine": "COC(=O)C1C(OC(=O)c2ccccc2)CC2CCC1N2C",
    "acetonitrile": "CC#N",
    "acrylonitrile": "C=CC#N",
    "citalopram": "CN(C)CCCC1(OCc2cc(C#N)ccc12)c1ccc(F)cc1",
    "diazepam": "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21",
    "1-pyrroline": "C1CC=NC1",
    "ethylene": "C=C",
    "limonene": "CC1=CCC(CC1)C(C)=C",
    "natural rubber": "CC=C(C)CCC=C(C)C",
    "acetylene": "C#C",
    "the contraceptive ethinylestradiol": "CC12CCC3c4ccc(O)cc4CCC3C1CCC2(O)C#C",
    "ethane": "CC",
    "toluene": "Cc1ccccc1",
    "caffeine": "CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
    "artemisinin": "CC1CCC2C(C)C(=O)OC3OC4(C)CCC1C23OO4",
    "di-tert-butyl peroxide": "CC(C)(C)OOC(C)(C)C",
    "acetic anhydride": "CC(=O)OC(C)=O",
    "maleic anhydride": "O=C1C=CC(=O)O1",
    "sugars joined in chains": "OCC1OC(OC2C(CO)OC(O)C(O)C2O)C(O)C(O)C1O",
    "paraldehyde": "CC1OC(C)OC(C)O1",
    "glucose in its ring form": "OCC1OC(O)C(O)C(O)C1O",
    "vitamin C": "OCC(O)C1OC(=O)C(O)=C1O",
    "acetylacetone in its second form": "CC(O)=CC(C)=O",
    "butadiene": "C=CC=C",
    "carotene": "CC1=C(C(C)(C)CCC1)C=CC(C)=CC=CC(C)=CC=CC=C(C)C=CC=C(C)C=CC1=C(C)CCCC1(C)C",
    "vitamin A": "CC1=C(C(C)(C)CCC1)C=CC(C)=CC=CC(C)=CCO",
    "cinnamaldehyde": "O=CC=Cc1ccccc1",
    "cortisone": "CC12CCC(=O)C=C1CCC1C2C(=O)CC2(C)C1CCC2(O)C(=O)CO",
    "acrolein": "C=CC=O",
    "rocket fuel": "NN(C)C",
    "isoniazid": "NNC(=O)c1ccncc1",
    "methyl orange": "CN(C)c1ccc(cc1)N=Nc1ccc(cc1)S(=O)(=O)O",
    "many synthetic food dyes": "Oc1ccc2cc(ccc2c1N=Nc1ccc(cc1)S(=O)(=O)O)S(=O)(=O)O",
    "urea": "NC(N)=O",
    "barbiturates": "CCC1(CC)C(=O)NC(=O)NC1=O",
    "polyurethane foam": "CCOC(=O)Nc1ccc(C)c(NC(=O)OCC)c1",
    "meprobamate": "CCCC(C)(COC(N)=O)COC(N)=O",
    "thalidomide": "O=C1CCC(C(=O)N1)N1C(=O)c2ccccc2C1=O",
    "phthalimide": "O=C1NC(=O)c2ccccc12",
    "antifreeze": "OCCO",
    "sugar": "OCC1OC(OC2(CO)OC(CO)C(O)C2O)C(O)C(O)C1O",
    "epoxy glue": "CC(C)(c1ccc(OCC2CO2)cc1)c1ccc(OCC2CO2)cc1",
    "ethylene oxide": "C1CO1",
    "benzene": "c1ccccc1",
    "succinic acid": "OC(=O)CCC(=O)O",
    "tartaric acid": "OC(=O)C(O)C(O)C(=O)O",
}
"""What stands for each example; for mixtures and long chains one molecule of the kind."""

AMINO_ACIDS = {
    "glycine": "NCC(=O)O",
    "alanine": "CC(N)C(=O)O",
    "valine": "CC(C)C(N)C(=O)O",
    "leucine": "CC(C)CC(N)C(=O)O",
    "isoleucine": "CCC(C)C(N)C(=O)O",
    "serine": "OCC(N)C(=O)O",
    "threonine": "CC(O)C(N)C(=O)O",
    "cysteine": "SCC(N)C(=O)O",
    "methionine": "CSCCC(N)C(=O)O",
    "aspartic acid": "OC(=O)CC(N)C(=O)O",
    "asparagine": "NC(=O)CC(N)C(=O)O",
    "glutamic acid": "OC(=O)CCC(N)C(=O)O",
    "glutamine": "NC(=O)CCC(N)C(=O)O",
    "lysine": "NCCCCC(N)C(=O)O",
    "arginine": "NC(=N)NCCCC(N)C(=O)O",
    "histidine": "NC(Cc1c[nH]cn1)C(=O)O",
    "phenylalanine": "NC(Cc1ccccc1)C(=O)O",
    "tyrosine": "NC(Cc1ccc(O)cc1)C(=O)O",
    "tryptophan": "NC(Cc1c[nH]c2ccccc12)C(=O)O",
    "proline": "OC(=O)C1CCCN1",
}
"""Those of which proteins are made."""


def has(smiles: str, pattern: str) -> bool:
    return bool(kekule(smiles).HasSubstructMatch(Chem.MolFromSmarts(pattern)))


@pytest.mark.parametrize("group", BOX.groups, ids=lambda group: group.id)
def test_the_examples_of_a_group_hold_it(group: Group) -> None:
    told = words("en")(f"molecular.examples_of.{group.id}")
    if group.id == "aminoacid":
        assert told == "glycine, alanine and seventeen more"
        return
    for name in told.split(", "):
        assert has(SMILES[name], group.smarts), name


def test_all_but_one_of_the_amino_acids_hold_the_pattern() -> None:
    pattern = next(group.smarts for group in BOX.groups if group.id == "aminoacid")
    assert len(AMINO_ACIDS) == 20
    assert [name for name, smiles in AMINO_ACIDS.items() if not has(smiles, pattern)] == ["proline"]


def test_no_molecule_of_the_table_is_without_use() -> None:
    told = {name for g in BOX.groups for name in words("en")(f"molecular.examples_of.{g.id}").split(", ")}
    assert set(SMILES) <= told

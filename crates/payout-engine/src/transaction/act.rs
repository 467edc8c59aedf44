//! What a transaction does.

use payout_keys::{ContractId, NetworkId, Recipient};
use sha2::{Digest, Sha256};
use stellar_xdr::{
    Asset, ContractExecutable, ContractIdPreimage, ContractIdPreimageFromAddress,
    CreateContractArgs, CreateContractArgsV2, ExtendFootprintTtlOp, ExtensionPoint, Hash,
    HashIdPreimage, HashIdPreimageContractId, HostFunction, InvokeContractArgs,
    InvokeHostFunctionOp, LedgerFootprint, LedgerKey, Limits, Operation, OperationBody,
    RestoreFootprintOp, ScVal, SorobanAuthorizedFunction, SorobanResources, SorobanTransactionData,
    SorobanTransactionDataExt, Uint256, VecM, WriteXdr,
};

use crate::envelope::EnvelopeError;
use crate::envelope::sc_address;

/// One act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A contract's call. Whoever authorises it authorises `below` with it, and nothing else.
    Call {
        /// The call.
        call: InvokeContractArgs,
        /// The calls that it may make in the name of who authorises it.
        below: Vec<InvokeContractArgs>,
    },
    /// Puts a Wasm into the ledger.
    Upload(Vec<u8>),
    /// Creates a contract, whole by its constructor.
    Create {
        /// Who creates it; the id follows from this and `salt`.
        deployer: Recipient,
        /// Tells the contracts of one deployer apart.
        salt: [u8; 32],
        /// Its code.
        wasm_hash: [u8; 32],
        /// What the constructor gets.
        arguments: Vec<ScVal>,
    },
    /// Creates the contract of an asset; anybody may.
    AssetContract(Asset),
    /// Lengthens lives, so that they last this many ledgers from now on at least.
    Extend {
        /// Whose.
        keys: Vec<LedgerKey>,
        /// How long.
        ledgers: u32,
    },
    /// Brings archived entries back.
    Restore {
        /// Which.
        keys: Vec<LedgerKey>,
    },
    /// Operations of the classic kind, each of its own account where that is not the source.
    Classic(Vec<Operation>),
}

impl Act {
    /// Whether it has to be simulated.
    pub(super) fn is_soroban(&self) -> bool {
        !matches!(self, Self::Classic(_))
    }

    /// Its operations, without authorisations.
    pub(super) fn operations(&self) -> Result<VecM<Operation, 100>, EnvelopeError> {
        let body = match self {
            Self::Classic(operations) => {
                return operations
                    .clone()
                    .try_into()
                    .map_err(EnvelopeError::xdr("the operations"));
            }
            Self::Call { call, .. } => invoke(HostFunction::InvokeContract(call.clone())),
            Self::Upload(wasm) => {
                let wasm = wasm.clone().try_into();
                invoke(HostFunction::UploadContractWasm(
                    wasm.map_err(EnvelopeError::xdr("the Wasm"))?,
                ))
            }
            Self::Create { .. } => invoke(HostFunction::CreateContractV2(self.creation()?)),
            Self::AssetContract(asset) => {
                invoke(HostFunction::CreateContract(CreateContractArgs {
                    contract_id_preimage: ContractIdPreimage::Asset(asset.clone()),
                    executable: ContractExecutable::StellarAsset,
                }))
            }
            Self::Extend { ledgers, .. } => {
                OperationBody::ExtendFootprintTtl(ExtendFootprintTtlOp {
                    ext: ExtensionPoint::V0,
                    extend_to: *ledgers,
                })
            }
            Self::Restore { .. } => OperationBody::RestoreFootprint(RestoreFootprintOp {
                ext: ExtensionPoint::V0,
            }),
        };
        let operation = Operation {
            source_account: None,
            body,
        };
        vec![operation]
            .try_into()
            .map_err(EnvelopeError::xdr("the operation"))
    }

    /// The footprint that a simulation starts from: what to extend or restore.
    pub(super) fn footprint(&self) -> Result<Option<SorobanTransactionData>, EnvelopeError> {
        let keys = |keys: &Vec<LedgerKey>| {
            VecM::try_from(keys.clone()).map_err(EnvelopeError::xdr("the footprint"))
        };
        let footprint = match self {
            Self::Extend { keys: of, .. } => LedgerFootprint {
                read_only: keys(of)?,
                read_write: VecM::default(),
            },
            Self::Restore { keys: of } => LedgerFootprint {
                read_only: VecM::default(),
                read_write: keys(of)?,
            },
            _ => return Ok(None),
        };
        Ok(Some(SorobanTransactionData {
            ext: SorobanTransactionDataExt::V0,
            resources: SorobanResources {
                footprint,
                instructions: 0,
                disk_read_bytes: 0,
                write_bytes: 0,
            },
            resource_fee: 0,
        }))
    }

    /// What an authorisation has to be for: the function, and what may be called below it.
    pub(super) fn authorised(
        &self,
    ) -> Result<Option<(SorobanAuthorizedFunction, &[InvokeContractArgs])>, EnvelopeError> {
        Ok(match self {
            Self::Call { call, below } => {
                Some((SorobanAuthorizedFunction::ContractFn(call.clone()), below))
            }
            Self::Create { .. } => Some((
                SorobanAuthorizedFunction::CreateContractV2HostFn(self.creation()?),
                &[],
            )),
            _ => None,
        })
    }

    fn creation(&self) -> Result<CreateContractArgsV2, EnvelopeError> {
        let Self::Create {
            deployer,
            salt,
            wasm_hash,
            arguments,
        } = self
        else {
            return Err(EnvelopeError::Xdr {
                what: "the creation",
                why: "it creates no contract".to_owned(),
            });
        };
        Ok(CreateContractArgsV2 {
            contract_id_preimage: preimage(*deployer, *salt),
            executable: ContractExecutable::Wasm(Hash(*wasm_hash)),
            constructor_args: arguments
                .clone()
                .try_into()
                .map_err(EnvelopeError::xdr("the constructor's arguments"))?,
        })
    }
}

fn invoke(host_function: HostFunction) -> OperationBody {
    OperationBody::InvokeHostFunction(InvokeHostFunctionOp {
        host_function,
        auth: VecM::default(),
    })
}

fn preimage(deployer: Recipient, salt: [u8; 32]) -> ContractIdPreimage {
    ContractIdPreimage::Address(ContractIdPreimageFromAddress {
        address: sc_address(deployer),
        salt: Uint256(salt),
    })
}

/// The address of the contract that `deployer` creates with `salt`.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn contract_at(
    network: NetworkId,
    deployer: Recipient,
    salt: [u8; 32],
) -> Result<ContractId, EnvelopeError> {
    id_of(network, preimage(deployer, salt))
}

/// The address of an asset's own contract, whether it is deployed or not.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn asset_contract(network: NetworkId, asset: Asset) -> Result<ContractId, EnvelopeError> {
    id_of(network, ContractIdPreimage::Asset(asset))
}

fn id_of(network: NetworkId, preimage: ContractIdPreimage) -> Result<ContractId, EnvelopeError> {
    let id = HashIdPreimage::ContractId(HashIdPreimageContractId {
        network_id: Hash(network.0),
        contract_id_preimage: preimage,
    });
    let bytes = id
        .to_xdr(Limits::none())
        .map_err(EnvelopeError::xdr("a contract's address"))?;
    Ok(ContractId(Sha256::digest(bytes).into()))
}

/// The hash under which the network knows a Wasm.
#[must_use]
pub fn wasm_hash(wasm: &[u8]) -> [u8; 32] {
    Sha256::digest(wasm).into()
}

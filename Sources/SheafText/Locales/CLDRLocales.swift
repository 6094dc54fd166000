// Made by Data/make-cldr.py from Unicode CLDR 41: likelySubtags.xml, supplementalData.xml. Not to be edited by hand.

/// Which locales are written in which script, and inherit from which locale, where their names don't say it.
enum CLDRLocales {
    /// Script | regions where a language is written in it, and elsewhere in another.
    static let scripts = """
        Arab | az_IQ az_IR ha_CM ha_SD kk_AF kk_CN kk_IR kk_MN ku_LB ky_CN ms_CC pa_PK tg_PK uz_AF
        Cyrl | az_RU ug_KZ ug_MN uz_CN
        Deva | sd_IN unr_NP
        Hans | yue_CN
        Hant | zh_AU zh_BN zh_GB zh_GF zh_HK zh_ID zh_MO zh_PA zh_PF zh_PH zh_SR zh_TH zh_TW zh_US zh_VN
        Latn | ky_TR rif_NL sr_ME sr_RO sr_RU sr_TR
        Mong | mn_CN
        Nkoo | man_GN
        """

    /// Parent | locales that inherit from it, and not from what is left without their last part.
    static let parents = """
        root | az_Arab az_Cyrl bal_Latn blt_Latn bm_Nkoo bs_Cyrl byn_Latn cu_Glag dje_Arab dyo_Arab en_Dsrt \
        en_Shaw ff_Adlm ff_Arab ha_Arab iu_Latn kk_Arab ks_Deva ku_Arab ky_Arab ky_Latn ml_Arab mn_Mong \
        mni_Mtei ms_Arab pa_Arab sat_Deva sd_Deva sd_Khoj sd_Sind shi_Latn so_Arab sr_Latn sw_Arab tg_Arab \
        ug_Cyrl uz_Arab uz_Cyrl vai_Latn wo_Arab yo_Arab yue_Hans zh_Hant
        en_001 | en_150 en_AG en_AI en_AU en_BB en_BM en_BS en_BW en_BZ en_CC en_CK en_CM en_CX en_CY en_DG \
        en_DM en_ER en_FJ en_FK en_FM en_GB en_GD en_GG en_GH en_GI en_GM en_GY en_HK en_IE en_IL en_IM \
        en_IN en_IO en_JE en_JM en_KE en_KI en_KN en_KY en_LC en_LR en_LS en_MG en_MO en_MS en_MT en_MU \
        en_MV en_MW en_MY en_NA en_NF en_NG en_NR en_NU en_NZ en_PG en_PK en_PN en_PW en_RW en_SB en_SC \
        en_SD en_SG en_SH en_SL en_SS en_SX en_SZ en_TC en_TK en_TO en_TT en_TV en_TZ en_UG en_VC en_VG \
        en_VU en_WS en_ZA en_ZM en_ZW
        en_150 | en_AT en_BE en_CH en_DE en_DK en_FI en_NL en_SE en_SI
        en_IN | hi_Latn
        es_419 | es_AR es_BO es_BR es_BZ es_CL es_CO es_CR es_CU es_DO es_EC es_GT es_HN es_MX es_NI es_PA \
        es_PE es_PR es_PY es_SV es_US es_UY es_VE
        no | nb nn
        pt_PT | pt_AO pt_CH pt_CV pt_FR pt_GQ pt_GW pt_LU pt_MO pt_MZ pt_ST pt_TL
        zh_Hant_HK | zh_Hant_MO
        """
}
